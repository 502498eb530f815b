using System.Globalization;
using Async2.Analysis;
using Async2.Analysis.Query;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;
using Async2.Tests.Support;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Integration.Runtimes;

/// <summary>
/// Objects in the shape of .NET 11 with places in real code, in real processes and dumps (dumps/Net11Fixture). What is expected was
/// written by the program that laid them out, and approved by eye.
/// </summary>
[Trait("Category", "Integration")]
public sealed class Net11Tests
{
    public static TheoryData<string> Situations => ["waiting", "joined", "running", "older", "decoys", "transition", "elided"];

    [Theory]
    [MemberData(nameof(Situations))]
    public void Prepared_stacks_are_shown_live_and_from_a_dump(string situation)
    {
        using var folder = new TemporaryFolder();
        string dump = folder.PathOf("net11.dmp");
        using ScenarioProcess process = Start(situation, "0");
        StackView live = Look(process.Pid.ToString(CultureInfo.InvariantCulture));
        ProgramDump.Write(process.Pid, dump);

        Assert.Empty(LaidOutStacks.Differences(process.Truth, live));
        Approved.Check("Integration/Approved", $"net11.{situation}.txt", LaidOutStacks.Text(live));
        Assert.Equal(LaidOutStacks.Text(live), LaidOutStacks.Text(Look(dump)));
    }

    [Fact]
    public void Code_that_was_not_optimised_has_the_same_places()
    {
        using ScenarioProcess process = Start("joined", "1");
        Assert.Empty(LaidOutStacks.Differences(process.Truth, Look(process.Pid.ToString(CultureInfo.InvariantCulture))));
    }

    [Fact]
    public void Valid_parts_of_damaged_chains_are_shown_and_the_damage_is_reported()
    {
        using ScenarioProcess process = Start("damaged", "0");
        StackView found = Look(process.Pid.ToString(CultureInfo.InvariantCulture));
        Approved.Check("Integration/Approved", "net11.damaged.txt", LaidOutStacks.Text(found));
    }

    [Fact]
    public void The_description_of_a_file_is_used()
    {
        using var folder = new TemporaryFolder();
        using ScenarioProcess process = Start("decoys", "0");
        string pid = process.Pid.ToString(CultureInfo.InvariantCulture);
        Assert.Equal(LaidOutStacks.Text(Look(pid)), LaidOutStacks.Text(Look(pid, Described(diagnosticIP: 8))));
        // Where the file says that the place is, there is the stub, which is not an async method: no frame is left.
        StackView wrong = Look(pid, Described(diagnosticIP: 0));
        Assert.DoesNotContain(wrong.Stacks.SelectMany(stack => stack.Frames), frame => frame.Name == "ServeAsync");

        string Described(int diagnosticIP)
        {
            string file = folder.PathOf($"layout{diagnosticIP}.json");
            File.WriteAllText(file, $$"""
                { "version": 0, "contracts": { "Async2Continuations": 2 },
                  "types": {
                    "ContinuationObject": { "Next": [8, "pointer"], "ResumeInfo": [16, "pointer"], "Flags": [24, "int32"], "State": [28, "int32"] },
                    "AsyncResumeInfo": { "DiagnosticIP": [{{diagnosticIP}}, "pointer"] } },
                  "globals": { "ContinuationTypes": ["System.Runtime.CompilerServices.Continuation", "string"], "ContinuationDataOffset": ["0x20", "int32"] } }
                """);
            return file;
        }
    }

    private static ScenarioProcess Start(string situation, string tiered)
        => ScenarioProcess.Start(ScenarioBuild.Net11, [situation], ("DOTNET_TieredCompilation", tiered));

    private static StackView Look(string target, string? layout = null)
    {
        using var opened = Target.Open(target, new TargetOptions());
        return Analyzer.Analyze(opened, new AnalysisOptions { Coalesce = false, LayoutFile = layout });
    }
}
