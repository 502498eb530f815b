using System.Globalization;
using Async2.Analysis;
using Async2.Analysis.Analyses;
using Async2.Analysis.Model;
using Async2.Analysis.Snapshots;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Integration.Locks;

/// <summary>A permit that nobody gives back is found; signals, queues, and what a method or a thread holds are not accused.</summary>
[Trait("Category", "Integration")]
public sealed class LockNeverReleasedTests
{
    public static TheoryData<string> Builds => ["Situations", "Situations.Classic", "Situations (Debug)", "Situations.Classic (Debug)"];

    [Theory]
    [MemberData(nameof(Builds))]
    public void A_permit_that_an_exception_kept_is_found(string build)
    {
        // With a maximum it is known that one is out; what is stored in a session somebody may dispose.
        Assert.Equal(["Leaked Likely 1", "OpenLeaked Possible 1", "Stored Possible 1"], Found(build, "leaks"));
    }

    [Theory]
    [MemberData(nameof(Builds))]
    public void What_is_held_is_not_accused(string build) => Assert.Empty(Found(build, "holders"));

    public static TheoryData<string, int> Ways => new(from build in (string[])["Situations", "Situations.Classic"] from way in Enumerable.Range(0, 10) select (build, way));

    // Virtual methods, delegates, keys, iterators, releasers: the holder is not always seen, and gives it back all the same.
    [Theory]
    [MemberData(nameof(Ways))]
    public void A_permit_that_comes_back_in_an_unusual_way_is_not_called_lost(string build, int way)
    {
        using ScenarioProcess process = ScenarioProcess.Start(HolderTests.BuildOf(build), ["lone", way.ToString(CultureInfo.InvariantCulture)]);
        using var target = Target.Open(process.Pid.ToString(CultureInfo.InvariantCulture), new TargetOptions());
        AsyncModel model = AnalyzedTarget.Analyze(target, new AnalysisOptions(), cancellation: TestContext.Current.CancellationToken).Model;
        // Threads of the program wait for events, too.
        HashSet<ulong> events = [.. model.Facts.Blocked.Values.Where(reason => reason.Kind == WaitKind.Event).Select(reason => reason.Resource)];
        Assert.Single(model.Facts.Holders.Locks, row => !events.Contains(row.Lock));
        Assert.Empty(AnalysisList.In(model).Where(finding => finding.Severity > Severity.Info && finding.Confidence > Confidence.Possible).Select(finding => finding.Text));
    }

    [Theory]
    [MemberData(nameof(Builds))]
    public void A_lock_whose_thread_has_ended_is_certain(string build)
    {
        using ScenarioProcess process = ScenarioProcess.Start(HolderTests.BuildOf(build), ["deadOwner"]);
        Finding found = Assert.Single(FindingsOf(process, out _));
        Assert.Equal((Confidence.Certain, "the thread that holds `Locked.Left` has ended without releasing it"), (found.Confidence, found.Text));
    }

    public static TheoryData<string, string> DeadOwners => new(from build in Builds.Select(row => row.Data) from collects in (string[])["0", "1"] select (build, collects));

    // Each has a twin whose owner lives, and of which nothing is said.
    [Theory]
    [MemberData(nameof(DeadOwners))]
    public void Monitors_and_locks_of_readers_and_writers_know_threads_that_have_ended_too(string build, string collects)
    {
        using ScenarioProcess process = ScenarioProcess.Start(HolderTests.BuildOf(build), ["deadOwners", collects]);
        Finding[] found = FindingsOf(process, out _);
        Assert.Equal(["LeftMonitor", "LeftReader", "LeftUpgrader", "LeftWriter"], found.Select(finding => finding.Text.Split('`')[1].Split('.')[1]).Order(StringComparer.Ordinal));
        Assert.All(found, finding => Assert.Equal((Severity.Error, Confidence.Certain), (finding.Severity, finding.Confidence)));
    }

    // "name confidence blocked"
    private static IEnumerable<string> Found(string build, string situation)
    {
        using ScenarioProcess process = ScenarioProcess.Start(HolderTests.BuildOf(build), [situation]);
        Finding[] found = FindingsOf(process, out Dictionary<ulong, string> names);
        return [.. found.Select(finding => string.Create(CultureInfo.InvariantCulture,
            $"{names.GetValueOrDefault(finding.Evidence.Last(step => step.To is not null).To ?? 0, "?")} {finding.Confidence} {finding.Blocked}")).Order(StringComparer.Ordinal)];
    }

    private static Finding[] FindingsOf(ScenarioProcess process, out Dictionary<ulong, string> names)
    {
        using var target = Target.Open(process.Pid.ToString(CultureInfo.InvariantCulture), new TargetOptions());
        AsyncModel model = AnalyzedTarget.Analyze(target, new AnalysisOptions(), cancellation: TestContext.Current.CancellationToken).Model;
        names = HolderTests.GatesIn(target);
        // The file says the same.
        using var file = new MemoryStream();
        ModelWriter.Write(model, null, redacts: false, file);
        file.Position = 0;
        Assert.Equal(AnalysisList.In(model).Select(finding => finding.Text), AnalysisList.In(ModelReader.Read(file).Model).Select(finding => finding.Text));
        return [.. AnalysisList.In(model).Where(finding => finding.Rule == "lock-never-released")];
    }
}
