using System.Globalization;
using System.Text.RegularExpressions;
using Async2.Analysis;
using Async2.Analysis.Snapshots;
using Async2.Analysis.Stacks;
using Async2.Analysis.Targets;
using Async2.Tests.Support;
using Microsoft.Diagnostics.NETCore.Client;

namespace Async2.Tests.Integration;

/// <summary>
/// Objects in the shape of .NET 11 with places in real code, in real processes and dumps (dumps/Net11Fixture). What is expected was
/// written by the program that laid them out, and approved by eye.
/// </summary>
[Trait("Category", "Integration")]
public sealed partial class Net11Tests
{
    public static TheoryData<string> Situations => ["waiting", "joined", "running", "older", "decoys", "transition"];

    [Theory]
    [MemberData(nameof(Situations))]
    public void What_was_laid_out_is_shown_live_and_from_a_dump(string situation)
    {
        using var folder = new TemporaryFolder();
        string dump = folder.PathOf("net11.dmp");
        using ScenarioProcess process = Start(situation, "0");
        AsyncSnapshot live = Look(process.Pid.ToString(CultureInfo.InvariantCulture));
        new DiagnosticsClient(process.Pid).WriteDump(DumpType.Full, dump);

        Assert.Empty(Differences(process.Truth, live));
        Approved.Check("Integration/Approved", $"net11.{situation}.txt", Text(live));
        Assert.Equal(Text(live), Text(Look(dump)));
    }

    [Fact]
    public void Code_that_was_not_optimised_has_the_same_places()
    {
        using ScenarioProcess process = Start("joined", "1");
        Assert.Empty(Differences(process.Truth, Look(process.Pid.ToString(CultureInfo.InvariantCulture))));
    }

    [Fact]
    public void Of_damaged_chains_what_is_sound_is_shown_and_the_damage_said()
    {
        using ScenarioProcess process = Start("damaged", "0");
        AsyncSnapshot found = Look(process.Pid.ToString(CultureInfo.InvariantCulture));
        Approved.Check("Integration/Approved", "net11.damaged.txt", Text(found));
    }

    private static ScenarioProcess Start(string situation, string tiered)
        => ScenarioProcess.Start(ScenarioBuild.Net11, [situation], ("DOTNET_TieredCompilation", tiered));

    private static AsyncSnapshot Look(string target)
    {
        using var opened = Target.Open(target, new TargetOptions());
        return Analyzer.Analyze(opened, new AnalysisOptions { Coalesce = false });
    }

    // Each stack of the truth is there, and no other.
    private static List<string> Differences(Truth truth, AsyncSnapshot snapshot)
    {
        List<LogicalStack> left = [.. snapshot.Stacks];
        var differences = new List<string>();
        foreach (TruthStack stack in truth.Stacks)
        {
            if (left.FirstOrDefault(s => IsSame(stack, s)) is { } found)
                left.Remove(found);
            else
                differences.Add($"{stack.Scenario}, {stack.Stack}: not found");
        }
        return [.. differences, .. left.Select(s => $"not in the truth: {string.Join(" < ", s.Frames.Select(f => $"{f.Name}:{f.Line}"))}")];
    }

    private static bool IsSame(TruthStack truth, LogicalStack stack)
        => truth.Frames.Count == stack.Frames.Count && truth.Frames.Zip(stack.Frames).All(pair =>
            pair.First.Method == pair.Second.Name && (pair.First.Line == 0 || (pair.First.Line == pair.Second.Line && Path.GetFileName(pair.Second.File) == pair.First.File)));

    // Without what differs from run to run: addresses, threads, numbers of stacks.
    private static string Text(AsyncSnapshot snapshot)
    {
        IEnumerable<string> stacks = snapshot.Stacks.Select(s => $"{s.State} {s.WaitingOn?.Kind} {s.WaitingOn?.FullText}: {Frames(s)}");
        IEnumerable<string> problems = snapshot.Problems.Select(p => $"! {p.Code} {p.Text}");
        string all = string.Join('\n', [.. stacks.Order(StringComparer.Ordinal), .. problems.Order(StringComparer.Ordinal), $"complete: {snapshot.Complete}", ""]);
        return Address().Replace(all, "0x...");
    }

    private static string Frames(LogicalStack stack) => stack.Frames.Count > 20
        ? $"{stack.Frames.Count} frames"
        : string.Join(" < ", stack.Frames.Select(f => $"{f.Kind} {f.Method}{(f.Line is { } line ? $":{line}" : "")} {f.Exactness}"));

    [GeneratedRegex("0x[0-9a-f]+")]
    private static partial Regex Address();
}
