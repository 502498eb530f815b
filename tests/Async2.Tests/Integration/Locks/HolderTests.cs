using System.Globalization;
using System.Text.Json;
using Async2.Analysis;
using Async2.Analysis.Analyses;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Graph;
using Async2.Analysis.Query;
using Async2.Analysis.Query.Answers;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;
using Async2.Tests.Support;
using Async2.Tests.Support.Programs;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Tests.Integration.Locks;

/// <summary>
/// Who holds each semaphore of a program that says so itself: with every mark, <c>held:Simple</c>, it names the semaphores that the method holds at
/// that line. No holder is invented, and none is missing but those that are listed here.
/// </summary>
[Trait("Category", "Integration")]
public sealed class HolderTests
{
    public static TheoryData<string, string, string> Situations => new(
        from situation in (string[])["holders", "holderTwins", "holderOdd", "holderMore"]
        from build in (string[])["Situations", "Situations.Classic", "Situations (Debug)", "Situations.Classic (Debug)"]
        from environment in (string[])["", "DOTNET_TieredCompilation=0"]
        where environment.Length == 0 || !build.EndsWith(')')
        select (situation, build, environment));

    [Theory]
    [MemberData(nameof(Situations))]
    public void Every_holder_is_found_and_nobody_else(string situation, string build, string environment)
    {
        using ScenarioProcess process = Start(build, situation, environment);
        // What optimised code keeps of a struct is right if it is found.
        string[] truth = TruthOf(process), perhaps = TruthOf(process, "perhaps:"), found = Look(process.Pid.ToString(CultureInfo.InvariantCulture));
        Expect(environment.Length == 0 ? [.. truth.Concat(perhaps).Order(StringComparer.Ordinal)] : truth, environment.Length == 0 ? found : [.. found.Except(perhaps)]);
    }

    [Theory]
    [InlineData("Situations")]
    [InlineData("Situations.Classic")]
    public void A_dump_says_the_same(string build)
    {
        using ScenarioProcess process = Start(build, "holders", "");
        using var folder = new TemporaryFolder();
        string dump = folder.PathOf("holders.dmp");
        ProgramDump.Write(process.Pid, dump);
        Expect(TruthOf(process), Look(dump));
    }

    [Theory]
    [InlineData("Situations")]
    [InlineData("Situations.Classic")]
    public void A_wait_says_who_holds_it(string build)
    {
        using ScenarioProcess process = Start(build, "holders", "");
        using var target = Target.Open(process.Pid.ToString(CultureInfo.InvariantCulture), new TargetOptions());
        AnalyzedTarget read = AnalyzedTarget.Analyze(target, new AnalysisOptions(), cancellation: TestContext.Current.CancellationToken);
        string[] waits = [.. StackAnswer.Of(read.Model, new StackQuery(), new ViewOptions(), TestContext.Current.CancellationToken).Stacks.Select(stack => stack.WaitingOn?.FullText ?? "")];
        int counted = process.Truth.Marks!["held:Counted x3"], twice = process.Truth.Marks["held:Twice"], open = process.Truth.Marks["held:Unbounded"];
        Assert.Contains(waits, wait => wait.EndsWith($"0 of 3 free, 1 waiting; held by 3: Holders.CountedAsync (Holders.cs:{counted})", StringComparison.Ordinal));
        Assert.Contains(waits, wait => wait.EndsWith($"0 of 1 free, 1 waiting; held by 1: Holders.TwiceAsync (Holders.cs:{twice})", StringComparison.Ordinal));
        Assert.Contains(waits, wait => wait.EndsWith($"0 free, 1 waiting; held by 1: Holders.UnboundedAsync (Holders.cs:{open})", StringComparison.Ordinal));
    }

    // What holds what it waits for is a cycle of one.
    [Theory]
    [InlineData("Situations")]
    [InlineData("Situations.Classic")]
    public void What_it_waits_for_itself_is_a_cycle(string build)
    {
        using ScenarioProcess process = Start(build, "holders", "");
        using var target = Target.Open(process.Pid.ToString(CultureInfo.InvariantCulture), new TargetOptions());
        AsyncModel model = AnalyzedTarget.Analyze(target, new AnalysisOptions(), cancellation: TestContext.Current.CancellationToken).Model;
        HolderRow row = Assert.Single(model.Facts.Holders.Rows, row => model.Places[row.Place].Frame.Name == "TwiceAsync");
        int node = model.Graph.Find(row.Lock);
        Assert.Contains(new Edge(node, row.Node, EdgeKind.HeldBy, EdgeSource.AcquiredByCode), model.Graph.EdgesFrom(node));
        int waiter = Assert.Single(model.Graph.EdgesTo(node), edge => edge.Kind == EdgeKind.BlockedOn).From;
        Assert.Equal(model.Graph.StackOf(row.Node), model.Graph.StackOf(waiter));
        Finding deadlock = Assert.Single(AnalysisList.In(model), finding => finding.Rule == "deadlock");
        Assert.Equal(Confidence.Certain, deadlock.Confidence);
    }

    // A permit whose holder cannot be told is not called lost: each of these is given back by somebody who is suspended.
    [Theory]
    [InlineData("Situations", "")]
    [InlineData("Situations.Classic", "")]
    [InlineData("Situations", "DOTNET_TieredCompilation=0")]
    [InlineData("Situations.Classic", "DOTNET_TieredCompilation=0")]
    public void What_a_releaser_gives_back_is_not_lost(string build, string environment)
    {
        using ScenarioProcess process = Start(build, "holderMore", environment);
        using var target = Target.Open(process.Pid.ToString(CultureInfo.InvariantCulture), new TargetOptions());
        AsyncModel model = AnalyzedTarget.Analyze(target, new AnalysisOptions(), cancellation: TestContext.Current.CancellationToken).Model;
        Assert.DoesNotContain(AnalysisList.In(model), finding => finding.Rule == "lock-never-released" && finding.Confidence != Confidence.Possible);
    }

    // Permits that go from hand to hand: at no moment are more claimed than are out, and none is called lost.
    [Theory]
    [InlineData("Situations")]
    [InlineData("Situations.Classic")]
    public void A_program_that_works_is_not_accused(string build)
    {
        using ScenarioProcess process = Start(build, "permits", "");
        int held = 0;
        // A look may come at a moment when nobody who has one is suspended.
        for (int i = 0; i < 3 || (held == 0 && i < 20); i++)
        {
            // In a process of its own: a moment of a busy process may crash the runtime's data access library.
            ToolRun run = ToolRun.Of(process.Pid.ToString(CultureInfo.InvariantCulture), "--format", "json");
            Assert.True(run.ExitCode == 0, $"{run.ExitCode}: {run.Error}");
            using var answer = JsonDocument.Parse(run.Output);
            if (answer.RootElement.TryGetProperty("findings", out JsonElement findings))
                Assert.DoesNotContain(findings.EnumerateArray(), finding => finding.GetProperty("rule").GetString() is "lock-never-released" or "deadlock");
            foreach (IGrouping<string?, JsonElement> permits in answer.RootElement.GetProperty("edges").EnumerateArray()
                .Where(edge => edge.GetProperty("relation").GetString() == "held-by" && edge.GetProperty("known").GetString()!.EndsWith("by-code", StringComparison.Ordinal)).GroupBy(edge => edge.GetProperty("from").GetString()))
            {
                int count = permits.Sum(edge => edge.GetProperty("count").GetInt32());
                Assert.InRange(count, 1, 3);
                held += count;
            }
        }
        Assert.True(held > 0);
    }

    // What is claimed and what is true, as lines of "semaphore: line x count".
    private static void Expect(IReadOnlyList<string> truth, IReadOnlyList<string> found)
    {
        string[] invented = [.. found.Except(truth)], missing = [.. truth.Except(found)];
        Assert.True(invented.Length == 0 && missing.Length == 0, $"right {found.Intersect(truth).Count()}\ninvented: {string.Join("; ", invented)}\nmissing: {string.Join("; ", missing)}");
    }

    private static string[] TruthOf(ScenarioProcess process, string prefix = "held:")
        => [.. (process.Truth.Marks ?? new Dictionary<string, int>()).Where(mark => mark.Key.StartsWith(prefix, StringComparison.Ordinal))
            .SelectMany(mark => Names(mark.Key[prefix.Length..]).Select(held => Line(held.Name, mark.Value, held.Count))).Order(StringComparer.Ordinal)];

    private static IEnumerable<(string Name, int Count)> Names(string mark)
        => mark.Split(',').Select(name => name.Split(" x")).Select(parts => (parts[0], parts.Length > 1 ? int.Parse(parts[1], CultureInfo.InvariantCulture) : 1));

    private static string[] Look(string name)
    {
        using var target = Target.Open(name, new TargetOptions());
        AsyncModel model = AnalyzedTarget.Analyze(target, new AnalysisOptions(), cancellation: TestContext.Current.CancellationToken).Model;
        Dictionary<ulong, string> names = GatesIn(target);
        return [.. model.Facts.Holders.Rows.Where(row => row.IsHolder).GroupBy(row => (names.GetValueOrDefault(row.Lock, "?"), model.Places[row.Place].Frame.Line ?? 0))
            .Select(group => Line(group.Key.Item1, group.Key.Item2, group.Count())).Order(StringComparer.Ordinal)];
    }

    private static string Line(string semaphore, int line, int count) => string.Create(CultureInfo.InvariantCulture, $"{semaphore}: {line} x{count}");

    internal static Dictionary<ulong, string> GatesIn(Target target)
    {
        var names = new Dictionary<ulong, string>();
        foreach (ClrObject gate in target.Runtime.Heap.EnumerateObjects().Where(item => item.Type?.Name == "Situations.NamedGate"))
            names[gate.ReadObjectField("<Gate>k__BackingField").Address] = gate.ReadStringField("<Name>k__BackingField") ?? "?";
        return names;
    }

    private static ScenarioProcess Start(string build, string situation, string environment)
        => ScenarioProcess.Start(BuildOf(build), [situation],
            environment.Length == 0 ? [] : [(environment.Split('=')[0], environment.Split('=')[1])]);

    internal static ScenarioBuild BuildOf(string build)
    {
        ScenarioBuild release = build.StartsWith("Situations.Classic", StringComparison.Ordinal) ? ScenarioBuild.SituationsClassic : ScenarioBuild.Situations;
        return build.EndsWith(')') ? release with { Assembly = release.Assembly.Replace("/Release/", "/Debug/", StringComparison.Ordinal) } : release;
    }
}
