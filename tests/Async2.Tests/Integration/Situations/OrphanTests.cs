using Async2.Analysis;
using Async2.Analysis.Analyses;
using Async2.Analysis.Model;
using Async2.Analysis.Snapshots;
using Async2.Analysis.Targets.Contract;
using Async2.Tests.Support;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Integration.Situations;

/// <summary>
/// Waits that nothing in the process can end, and those that look the same and can be ended, in both builds, live and from a dump. The program
/// says which is which, by the names of its lines; both are counted both ways.
/// </summary>
[Trait("Category", "Integration")]
public sealed class OrphanTests
{
    public static TheoryData<string, string> Runs => new()
    {
        { "Situations", "" }, { "Situations", "collects" }, { "Situations", "TieredCompilation" },
        { "Situations.Classic", "" }, { "Situations.Classic", "collects" }, { "Situations.Classic", "TieredCompilation" },
    };

    public static TheoryData<string, string> ThreadRuns => new() { { "Situations", "" }, { "Situations", "TieredCompilation" }, { "Situations.Classic", "" }, { "Situations.Classic", "TieredCompilation" } };

    [Theory]
    [MemberData(nameof(Runs))]
    public void All_waits_that_nothing_can_end_are_found(string build, string how)
    {
        foreach ((AsyncModel model, Truth truth) in Looks(build, "orphans", how))
        {
            Assert.Equal([], model.Problems.Select(problem => problem.Text));
            // What nothing refers to is gone after a collection.
            string[] gone = how.Length == 0 ? [] : ["orphan-unwatched", "orphan-unread", "orphan-holder", "orphan-behind"];
            Assert.Equal(truth.Marks!.Keys.Except(gone).Order(StringComparer.Ordinal), Marked(model, truth, model.Facts.Orphans.Select(row => row.Awaited)));
        }
    }

    [Theory]
    [MemberData(nameof(Runs))]
    public void Waits_that_something_can_end_are_not_claimed(string build, string how)
    {
        foreach ((AsyncModel model, Truth truth) in Looks(build, "reached", how))
        {
            Assert.Equal([], model.Problems.Select(problem => problem.Text));
            Assert.Equal([], Marked(model, truth, model.Facts.Orphans.Select(row => row.Awaited)));
            Assert.Equal([], model.Facts.Orphans);
            Assert.Equal([], AnalysisList.In(model).Where(finding => finding.Severity != Severity.Info && finding.Confidence != Confidence.Possible).Select(finding => finding.Text));
            // All are there, and were in question.
            string[] gone = how.Length == 0 ? [] : ["fine-finalizer"];
            Assert.Equal([], truth.Marks!.Keys.Except(gone).Except(Marked(model, truth, null)));
        }
    }

    [Theory]
    [MemberData(nameof(ThreadRuns))]
    public void Threads_that_block_for_what_nobody_else_has_are_found(string build, string how)
    {
        foreach ((AsyncModel model, Truth truth) in Looks(build, "lostSignals", how))
        {
            Assert.Equal([], model.Problems.Select(problem => problem.Text));
            // Of what the system has, it is not known whether it was signalled a moment ago.
            ILookup<bool, ulong> rows = model.Facts.Orphans.ToLookup(row => row.Fact == OrphanFact.OnlyBlocked, row => row.Awaited);
            Assert.Equal(truth.Marks!.Keys.Where(mark => mark.StartsWith("orphan", StringComparison.Ordinal)).Order(StringComparer.Ordinal), Marked(model, truth, rows[false]));
            Assert.Equal(truth.Marks.Keys.Where(mark => mark.StartsWith("maybe", StringComparison.Ordinal)).Order(StringComparer.Ordinal), Marked(model, truth, rows[true]));
            // Each is told of once, and where two wait for each other, as that; optimised code does not show which of them signals what.
            ILookup<bool, Finding> found = AnalysisList.In(model).ToLookup(finding => finding.Rule == "orphan");
            string[] pair = how.Length > 0 ? [] : ["orphan-first", "orphan-second"];
            Assert.Equal(truth.Marks.Keys.Except(pair).Order(StringComparer.Ordinal), found[true].Select(finding => truth.Marks.Single(mark => mark.Value == finding.Evidence[0].Line).Key).Order(StringComparer.Ordinal));
            Assert.All(found[true], finding => Assert.Equal(finding.Text.Contains("AutoResetEvent", StringComparison.Ordinal) || finding.Text.Contains("pulse", StringComparison.Ordinal) ? (Severity.Warning, Confidence.Possible) : (Severity.Error, Confidence.Certain), (finding.Severity, finding.Confidence)));
            Assert.Equal(pair.Length > 0 ? ["deadlock Likely"] : [], found[false].Select(finding => $"{finding.Rule} {finding.Confidence}"));
            Assert.All(found[false], finding => Assert.All(pair, mark => Assert.Contains($"(LostSignals.cs:{truth.Marks[mark]})", finding.Text, StringComparison.Ordinal)));
        }
    }

    [Theory]
    [MemberData(nameof(ThreadRuns))]
    public void Threads_that_block_for_what_somebody_has_are_not_claimed(string build, string how)
    {
        foreach ((AsyncModel model, Truth truth) in Looks(build, "lostSignalsKept", how))
        {
            Assert.Equal([], model.Problems.Select(problem => problem.Text));
            Assert.Equal([], Marked(model, truth, model.Facts.Orphans.Select(row => row.Awaited)));
            Assert.Equal([], model.Facts.Orphans);
            Assert.Equal([], AnalysisList.In(model).Where(finding => finding.Confidence != Confidence.Possible).Select(finding => finding.Text));
            Assert.Equal([], truth.Marks!.Keys.Except(Marked(model, truth, null)));
        }
    }

    [Theory]
    [MemberData(nameof(FaultRuns))]
    public void Threads_that_run_are_asked_for_what_they_know(string build, string how)
    {
        using ScenarioProcess process = Start(build, "computing", how);
        int sure = 0;
        for (int i = 0; i < 6; i++)
        {
            AsyncModel model = Read($"{process.Pid}", new AnalysisOptions { Deep = true });
            Assert.DoesNotContain("fine-computing", Marked(model, process.Truth, model.Facts.Orphans.Select(row => row.Awaited)));
            // They make garbage all the time, or take memory; the tool looks again then.
            Assert.All(model.Problems, problem => Assert.True(problem.Code == ProblemCodes.HeapIncomplete || problem.Text.Contains("a garbage collection was going on", StringComparison.Ordinal), problem.Text));
            if (!model.Problems.IsEmpty)
                continue;
            sure++;
            Assert.Equal(["orphan-computing"], Marked(model, process.Truth, model.Facts.Orphans.Select(row => row.Awaited)));
            // Native code of the runtime has addresses of the heap that refer to nothing, such as where memory ends that it has; one of 20 promises may lie there.
            Assert.InRange(model.Facts.Orphans.Count, 19, 20);
            Assert.Equal(["fine-computing", "orphan-computing"], Marked(model, process.Truth, null));
        }
        Assert.NotEqual(0, sure);
    }

    [Theory]
    [InlineData("Situations")]
    [InlineData("Situations.Classic")]
    public void What_has_happened_needs_nothing_that_could_end_it(string build)
    {
        foreach ((AsyncModel model, Truth truth) in Looks(build, "granted", ""))
        {
            Assert.Equal([], Marked(model, truth, model.Facts.Orphans.Select(row => row.Awaited)));
            Assert.Equal(["granted", "written"], Marked(model, truth, null).Intersect(["granted", "written"]).Order(StringComparer.Ordinal));
        }
    }

    [Theory]
    [MemberData(nameof(Runs))]
    public void Each_is_a_finding_that_names_its_line_and_nothing_else_is(string build, string how)
    {
        foreach ((AsyncModel model, Truth truth) in Looks(build, "orphans", how))
        {
            Finding[] found = [.. AnalysisList.In(model)];
            // A semaphore that nobody can release is one that nobody gives back, too.
            Assert.All(found.Where(finding => finding.Confidence != Confidence.Possible), finding => Assert.Equal("orphan", finding.Rule));
            Finding[] orphans = [.. found.Where(finding => finding.Rule == "orphan")];
            Assert.All(orphans, finding => Assert.NotEqual(Confidence.Possible, finding.Confidence));
            string[] named = [.. orphans.Select(finding => truth.Marks!.Single(mark => mark.Value == finding.Evidence[0].Line).Key).Order(StringComparer.Ordinal)];
            Assert.Equal(Marked(model, truth, model.Facts.Orphans.Select(row => row.Awaited)), named);
            // What hangs on them is counted: Outer waits for Inner.
            Finding inner = orphans.Single(finding => finding.Text.StartsWith("Orphans.Inner ", StringComparison.Ordinal));
            Assert.Equal((Severity.Error, Confidence.Certain), (inner.Severity, inner.Confidence));
            Assert.Equal($"Orphans.Inner (Orphans.cs:{truth.Marks!["orphan-inner"]}) waits for a TaskCompletionSource<int> that nothing in the process can complete: ", inner.Text[..(inner.Text.LastIndexOf(':') + 2)]);
            Assert.Equal(["Inner", "Outer"], inner.Evidence.Select(step => step.Method!.Split('.')[^1].Split('(')[0]));
            // Both readers of one channel are one finding. What nobody can see is only told, and so is a Main that waits for nothing; a task that somebody has, and that never completes, is missed.
            Assert.StartsWith("2 x Orphans.Take ", orphans.Single(finding => finding.Evidence[0].Line == truth.Marks["orphan-shared"]).Text, StringComparison.Ordinal);
            Assert.Equal(how.Length == 0 ? ["orphan-main", "orphan-unwatched"] : ["orphan-main"],
                orphans.Where(finding => finding.Severity == Severity.Info).Select(finding => truth.Marks.Single(mark => mark.Value == finding.Evidence[0].Line).Key).Order(StringComparer.Ordinal));
        }
    }

    [Theory]
    [InlineData("Situations")]
    [InlineData("Situations.Classic")]
    public void Nothing_is_claimed_where_it_is_not_wanted_or_not_known(string build)
    {
        using ScenarioProcess process = Start(build, "orphans", "");
        Assert.Equal([], Read($"{process.Pid}", new AnalysisOptions { Deep = false }).Facts.Orphans);
        AsyncModel running = Read($"{process.Pid}", new AnalysisOptions { Deep = true }, new TargetOptions { Freeze = FreezeMode.None });
        Assert.Equal([], running.Facts.Orphans);
        Assert.Contains(ProblemCodes.ReachUnknown, running.Problems.Select(problem => problem.Code));
    }

    [Theory]
    [InlineData("Situations")]
    [InlineData("Situations.Classic")]
    public void A_search_that_was_asked_for_names_the_static_field_that_leads_to_a_promise(string build)
    {
        using ScenarioProcess process = Start(build, "reached", "");
        AsyncModel model = Read($"{process.Pid}", new AnalysisOptions { Deep = true });
        string[] NamesAt(string mark) => [.. Enumerable.Range(0, model.StackCount).Where(stack => MarkOf(model, process.Truth, stack) == mark).Select(stack => model.ResourceOf(stack)?.Name ?? "")];
        Assert.Equal(["Reached.Pending[...]"], NamesAt("fine-pending"));
        // What only a handle, a timer or a thread leads to, no field has.
        Assert.All((string[])["fine-handle", "fine-threadStatic", "fine-signal", "fine-event"], mark => Assert.Equal([""], NamesAt(mark)));
        // Nobody else pays for it.
        AsyncModel unasked = Read($"{process.Pid}", new AnalysisOptions());
        Assert.DoesNotContain("Reached.Pending[...]", Enumerable.Range(0, unasked.StackCount).Select(stack => unasked.ResourceOf(stack)?.Name));
        // And what is known to nobody has no name.
        using ScenarioProcess broken = Start(build, "orphans", "");
        AsyncModel orphans = Read($"{broken.Pid}", new AnalysisOptions { Deep = true });
        Assert.NotEmpty(orphans.Facts.Orphans);
        Assert.DoesNotContain(orphans.Facts.Orphans, row => orphans.Resources.TryGetValue(row.Awaited, out WaitResource? named) && named.Name?.Contains("Pending", StringComparison.Ordinal) == true);
    }

    [Theory]
    [InlineData("Situations")]
    [InlineData("Situations.Classic")]
    public void Those_who_wait_until_one_of_several_is_done_leave_the_others(string build)
    {
        foreach ((AsyncModel model, Truth truth) in Looks(build, "losers", ""))
        {
            Assert.Equal([], model.Facts.Orphans);
            int[] left = [.. model.Facts.Lost.Where(row => row.Fact == LostFact.WaiterLeft).Select(row => row.Node)];
            Assert.Equal(40, left.Length);
            Finding lost = Assert.Single(AnalysisList.In(model));
            Assert.Equal(("lost", Severity.Info), (lost.Rule, lost.Severity));
            Assert.StartsWith($"20 x Losers.Request (Losers.cs:{truth.Marks!["loser-request"]}) is pending, and those who waited for it have left", lost.Text, StringComparison.Ordinal);
            Assert.Equal(["fine-pause", "loser-request"], left.Select(node => MarkOf(model, truth, model.Graph.StackOf(node))).Distinct().Order(StringComparer.Ordinal));
        }
    }

    public static TheoryData<string, string> FaultRuns => new(from build in (string[])["Situations", "Situations.Classic"] from how in (string[])["", "TieredCompilation"] select (build, how));

    [Theory]
    [MemberData(nameof(FaultRuns))]
    public void Failures_nobody_has_seen_are_reported(string build, string how)
    {
        foreach ((AsyncModel model, Truth truth) in Looks(build, "faults", how))
        {
            string At(string mark) => $"(Faults.cs:{truth.Marks![mark]})";
            Finding[] found = [.. AnalysisList.In(model).Where(finding => finding.Rule == "lost")];
            Assert.Equal(4, found.Length);
            Finding loop = found.Single(finding => finding.Text.StartsWith("Pump.RunAsync", StringComparison.Ordinal));
            // Optimised code of runtime-async does not save the object whose field it is: the semaphore has no name.
            bool isNamed = build != "Situations" || how.Length == 0;
            Assert.EndsWith($" has failed with IOException \"disk 0 is full\", and nobody has looked at its task{(isNamed ? "; 3 stacks wait for `Pump._answered`" : "")}", loop.Text, StringComparison.Ordinal);
            Assert.Equal(isNamed ? (Severity.Warning, Confidence.Possible, 3) : (Severity.Info, Confidence.Certain, 0), (loop.Severity, loop.Confidence, loop.Members.Length));
            Assert.Equal(truth.Marks!["read"], loop.Evidence[0].Line);
            Finding both = found.Single(finding => finding.Text.StartsWith("Faults.ProduceAsync", StringComparison.Ordinal));
            Assert.Equal($"Faults.ProduceAsync {At("produce")} has failed with InvalidDataException \"order 7 has no price\", and Faults.BothAsync {At("both")} hears of it only when 1 other task is done", both.Text);
            Assert.Equal((Severity.Warning, Confidence.Possible, 1), (both.Severity, both.Confidence, both.Blocked));
            // What is looked at later, and what nobody waits for, is only told.
            Assert.Equal(
                [$"Chore.Work {At("work")} has failed with NotSupportedException \"no such work\", and nobody has looked at its task",
                    $"Faults.FailAsync {At("fail")} has failed with TimeoutException \"later\", and Faults.LaterAsync {At("first")}, which has its task, waits for something else"],
                found.Where(finding => finding is { Severity: Severity.Info, Confidence: Confidence.Certain } && finding != loop).Select(finding => finding.Text).Order(StringComparer.Ordinal));
            using var file = new MemoryStream();
            ModelWriter.Write(model, null, redacts: true, file);
            file.Position = 0;
            Finding[] redacted = [.. AnalysisList.In(ModelReader.Read(file).Model).Where(finding => finding.Rule == "lost")];
            Assert.Equal(4, redacted.Length);
            Assert.DoesNotContain(redacted, finding => finding.Text.Contains('"', StringComparison.Ordinal));
        }
    }

    [Theory]
    [MemberData(nameof(FaultRuns))]
    public void Failures_somebody_has_seen_are_not_reported(string build, string how)
    {
        foreach ((AsyncModel model, _) in Looks(build, "faultsSeen", how))
        {
            Assert.Equal([], model.Facts.Faults);
            Assert.Equal([], AnalysisList.In(model).Where(finding => finding.Confidence > Confidence.Possible).Select(finding => finding.Text));
        }
    }

    /// <summary>Live with the heap as it was, and in a dump.</summary>
    private static IEnumerable<(AsyncModel Model, Truth Truth)> Looks(string build, string name, string how)
    {
        using ScenarioProcess process = Start(build, name, how);
        yield return (Read($"{process.Pid}", new AnalysisOptions()), process.Truth);
        using var folder = new TemporaryFolder();
        string dump = folder.PathOf("situation.dmp");
        new Microsoft.Diagnostics.NETCore.Client.DiagnosticsClient(process.Pid).WriteDump(Microsoft.Diagnostics.NETCore.Client.DumpType.Full, dump);
        yield return (Read(dump, new AnalysisOptions()), process.Truth);
    }

    private static ScenarioProcess Start(string build, string name, string how) => ScenarioProcess.Start(
        build == "Situations" ? ScenarioBuild.Situations : ScenarioBuild.SituationsClassic, how.Length == 0 ? [name] : [name, "1"],
        how == "TieredCompilation" ? [ScenarioProcess.Untiered] : how.Length == 0 ? [ScenarioProcess.NotCollecting] : []);

    private static AsyncModel Read(string target, AnalysisOptions options, TargetOptions? opening = null)
    {
        using var opened = Analysis.Targets.Target.Open(target, opening ?? new TargetOptions());
        return AnalyzedTarget.Analyze(opened, options, cancellation: TestContext.Current.CancellationToken).Model;
    }

    // The names of the lines where stacks wait for one of the addresses; null for any.
    private static IEnumerable<string> Marked(AsyncModel model, Truth truth, IEnumerable<ulong>? awaited)
    {
        HashSet<ulong>? wanted = awaited?.ToHashSet();
        return Enumerable.Range(0, model.StackCount).Where(stack => wanted?.Contains(model.Stacks.Rows[stack].WaitAddress) ?? true)
            .Select(stack => MarkOf(model, truth, stack)).OfType<string>().Distinct().Order(StringComparer.Ordinal);
    }

    private static string? MarkOf(AsyncModel model, Truth truth, int stack)
        => model.Stacks.ShapeOf(stack).Places.Select(place => truth.Marks!.FirstOrDefault(mark => mark.Value == model.Places[place].Frame.Line).Key).FirstOrDefault(mark => mark is not null);
}
