using System.Globalization;
using Async2.Analysis;
using Async2.Analysis.Analyses;
using Async2.Analysis.Model;
using Async2.Analysis.Snapshots;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;
using Async2.Tests.Support;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Integration.Locks;

/// <summary>
/// Async locks as programs keep them: in arguments, one for each key of a dictionary, behind interfaces, base classes and structs, and made by the program itself. Deadlocks and lost permits are
/// found with the line that took the lock; programs that look alike, in which somebody takes long, are not accused. Each theme has a class of its own, so that they run side by side.
/// </summary>
internal static class LockShapes
{
    // "rule confidence blocked: a method that it names".
    public static readonly (string Situation, string[] Found)[] Expected =
    [
        ("passed", ["deadlock Certain 2: TransferAsync"]), ("passedOpen", ["deadlock Likely 2: TransferAsync"]), ("passedInside", ["deadlock Certain 2: MoveAsync"]), ("passedLooped", ["deadlock Certain 2: AgainAsync"]),
        ("passedReleased", []), ("passedTried", []), ("passedPerhaps", []), ("passedTwo", []),
        ("keyedPair", ["deadlock Certain 2: MoveAsync"]), ("keyedAgain", ["deadlock Certain 2: MoveAgainAsync"]), ("keyedNumbers", ["deadlock Certain 2: MoveNumberAsync"]),
        ("keyedHandle", ["deadlock Certain 2: MoveHandleAsync"]), ("keyedLoop", ["deadlock Certain 2: MoveAllAsync"]), ("keyedLost", ["lock-never-released Likely 1: SaveAsync"]),
        ("keyedOrdered", []), ("keyedOthers", []),
        ("lockerPair", ["deadlock Certain 2: MoveAsync"]), ("lockerVirtual", ["deadlock Certain 2: CrossAsync"]), ("lockerOwned", ["deadlock Certain 2: VisitAsync"]),
        ("ownReentrant", ["deadlock Certain 1: OuterAsync"]), ("ownPair", ["deadlock Certain 2: NestAsync"]), ("ownQueue", ["deadlock Certain 2: CrossAsync"]), ("ownCounted", ["deadlock Likely 2: SeatAsync"]),
        ("ownLost", ["lock-never-released Likely 1: InnerAsync"]), ("ownSlow", []), ("ownSignals", []),
        ("ownOwner", ["deadlock Certain 2: OrderAsync"]), ("ownEntries", ["deadlock Certain 1: RefreshAsync"]), ("ownOwnerSlow", []),
        ("ownShared", ["deadlock Likely 2: RaiseAsync"]), ("ownSharedSlow", []), ("ownHanded", ["lock-never-released Likely 3: WaitAsync"]), ("ownHandedSlow", []),
        ("ownUpgrade", ["deadlock Possible 3: WriteAsync"]), ("ownUpgradeSlow", []),
        ("leaseTurn", ["deadlock Certain 3: BookAsync"]), ("leaseTurnBefore", []),
        ("promiseCredit", ["deadlock Possible 2: ReceiveAsync"]), ("promiseCreditSlow", []), ("promiseCreditRefilled", []), ("promiseLanes", ["deadlock Possible 5: SortAsync"]), ("promiseLanesSlow", []), ("promiseBound", []), ("promiseDoors", ["deadlock Possible 2: BuildAsync"]), ("promiseDoorsLong", []),
        ("leaseWatched", ["lock-never-released Likely 1: SaveAsync"]), ("leaseLost", ["lock-never-released Likely 1: EnterAsync"]), ("leaseMessage", ["lock-never-released Possible 2: AdmitAsync"]),
        ("leaseLeft", ["lock-never-released Likely 3: RentAsync"]), ("leaseLeftHeld", []), ("leaseKept", []), ("leaseRead", ["lock-never-released Likely 1: LinesAsync"]), ("leaseReadSlow", []),
        ("lentPool", ["deadlock Likely 4: BuildAsync"]), ("lentSlow", []), ("lentQueue", []), ("lentLost", ["deadlock Possible 4: SaveAsync"]), ("lentLostSlow", []), ("lentJobs", []),
        ("lentOpen", ["deadlock Possible 4: BuildAsync"]), ("lentOpenSlow", []), ("lentOpenQueue", []), ("lentOpenUsing", ["deadlock Possible 4: PostAsync"]), ("lentOpenUsingSlow", []), ("lentRowsLost", ["deadlock Possible 1: LookUpAsync"]), ("lentRowsSlow", []),
        ("promiseStuck", ["deadlock Possible 3: LeadAsync", "deadlock Possible 1: StartAsync", "orphan Possible 1: ResumeAsync"]), ("promiseAlike", []), ("promiseInHand", []),
        ("promiseElement", ["deadlock Possible 3: LoadAsync"]), ("promiseElementSlow", []), ("promiseElementStream", []),
        ("promiseAfter", ["deadlock Likely 2: BlockForAll", "deadlock Likely 1: Block", "deadlock Likely 1: OpenAsync", "deadlock Possible 1: StopAsync"]), ("promiseBefore", []),
        ("wayOwn", ["deadlock Certain 2: Stop"]), ("wayEnded", ["orphan Possible 1: SaveAsync"]), ("wayServed", []),
        ("wayTimer", ["deadlock Certain 2: EndAsync"]), ("wayAction", ["deadlock Certain 2: ReportAsync"]), ("wayJoin", ["deadlock Certain 1: RefreshAsync", "deadlock Certain 1: Write"]), ("wayLeft", ["lock-never-released Likely 1: Sum"]), ("wayLeftReader", ["lock-never-released Likely 1: Replace"]), ("wayAlike", []),
        ("actorPair", ["deadlock Likely 4: HandleAsync"]), ("actorSelf", ["deadlock Likely 2: HandleAsync"]), ("actorRing", ["deadlock Likely 4: RunAsync"]), ("actorDrained", ["deadlock Possible 2: RunAsync"]), ("actorAlike", []),
        ("fullPair", ["deadlock Likely 3: RunAsync"]), ("fullSelf", ["deadlock Likely 2: SendAsync"]), ("fullGate", ["deadlock Likely 2: FillAsync"]), ("fullReaders", ["deadlock Likely 3: FillAsync"]), ("fullAsk", ["deadlock Likely 2: AnswerAsync"]), ("fullTrimmed", ["deadlock Possible 1: RunAsync"]), ("fullAlike", []), ("fullLeft", ["orphan Possible 1: FillAsync"]), ("fullLeftAlike", []), ("fullMerged", ["deadlock Possible 2: SplitAsync"]), ("fullMergedSlow", []), ("fullFollower", ["orphan Possible 1: PublishAsync"]), ("fullFollowerSlow", []),
        ("boundedPair", ["deadlock Likely 2: Run"]), ("boundedPassed", ["deadlock Likely 2: Copy"]), ("boundedLocked", ["deadlock Likely 2: Drain"]), ("boundedAsync", ["deadlock Likely 2: DrainAsync"]), ("boundedTrimmed", ["deadlock Likely 1: Run"]), ("boundedAlike", []),
        ("boundedLeft", ["orphan Certain 1: Write"]), ("boundedFailed", ["orphan Certain 1: Write", "lost Possible 1: Write"]), ("boundedEnded", []),
        ("pipePair", ["deadlock Likely 2: EchoAsync"]), ("pipeGate", ["deadlock Likely 2: DrainAsync"]), ("pipeCopy", ["deadlock Likely 1: CopyAsync"]), ("pipeAlike", []), ("pipeSplit", ["deadlock Possible 2: SplitAsync"]), ("pipeSplitSlow", []), ("pipeSplitShared", []), ("pipeSplitStreamed", []), ("pipeSplitCopied", []),
        ("inlinedPair", ["deadlock Certain 2: SwapAsync"]), ("inlinedPromise", ["deadlock Possible 2: AskAsync"]), ("inlinedSlow", []), ("inlinedLocked", []),
        ("resumedCancel", ["deadlock Certain 1: StopAsync"]), ("resumedInline", ["deadlock Certain 2: LoadAsync"]), ("resumedOther", []),
        ("eventSet", ["deadlock Likely 2: Answer"]), ("eventLoaded", ["deadlock Possible 2: LoadAsync"]), ("eventUnset", []),
        ("eventRound", ["deadlock Likely 2: EnterRound"]), ("eventCount", ["deadlock Likely 2: EnterCount"]), ("eventFailed", ["orphan Possible 1: Wait"]), ("eventLeft", ["orphan Possible 3: Turn"]), ("eventLate", []), ("eventBusy", []), ("eventTimed", []),
        ("eventInvoke", ["deadlock Possible 3: Serve"]), ("eventInvokeSlow", []), ("eventGone", ["orphan Possible 2: Meet"]),
        ("readersUpgrade", ["deadlock Likely 3: FindAsync"]), ("readersSlow", []), ("readersKept", ["lock-never-released Possible 2: PagesAsync"]), ("readersLoop", []),
        ("lockerStruct", ["deadlock Certain 2: NestAsync"]), ("lockerNone", []), ("lockerOpen", []), ("lockerOrdered", []),
    ];

    // Of these a dump is read, too.
    private static readonly string[] Dumped = ["passed", "passedPerhaps", "keyedHandle", "lockerOpen", "actorPair", "fullAsk", "boundedPair", "pipeGate", "readersKept", "readersSlow", "promiseStuck", "wayLeft"];

    /// <summary>Situations whose names begin so, in all builds.</summary>
    public static TheoryData<string, string, string> Of(string theme) => new(
        from row in Expected
        where row.Situation.StartsWith(theme, StringComparison.Ordinal)
        from build in (string[])["Situations", "Situations.Classic", "Situations (Debug)", "Situations.Classic (Debug)"]
        from environment in (string[])["", "DOTNET_TieredCompilation=0"]
        where environment.Length == 0 || !build.EndsWith(')')
        select (row.Situation, build, environment));

    /// <summary>What is stuck is found, and what takes long is not; a dump of the process says the same.</summary>
    public static void LookAt(string situation, string build, string environment)
    {
        using ScenarioProcess process = ScenarioProcess.Start(HolderTests.BuildOf(build), [situation], environment.Length == 0 ? [] : [(environment.Split('=')[0], environment.Split('=')[1])]);
        // In which call a thread stands, optimised code of signals does not say exactly.
        string[] expected = environment.Length > 0 && situation.StartsWith("event", StringComparison.Ordinal) ? [.. ExpectedIn(situation).Select(row => row.Replace(" Likely ", " Possible ", StringComparison.Ordinal))] : ExpectedIn(situation);
        string[] found = Found(situation, process.Pid.ToString(CultureInfo.InvariantCulture));
        // On a busy machine a thread may still be on its way to where it blocks.
        for (int again = 0; again < 5 && found.Length < expected.Length && !found.Except(expected).Any(); again++)
        {
            Thread.Sleep(500);
            found = Found(situation, process.Pid.ToString(CultureInfo.InvariantCulture));
        }
        AssertSame(expected, found);
        if (environment.Length > 0 || build.EndsWith(')') || !Dumped.Contains(situation))
            return;
        using var folder = new TemporaryFolder();
        string dump = folder.PathOf("shape.dmp");
        ProgramDump.Write(process.Pid, dump);
        AssertSame(ExpectedIn(situation), Found(situation, dump));
    }

    // Which of two that are as bad, as sure and block as many comes first depends on where their objects are, and that on which thread was faster.
    private static void AssertSame(string[] expected, string[] found)
    {
        Assert.Equal(expected.Order(StringComparer.Ordinal), found.Order(StringComparer.Ordinal));
        Assert.Equal(expected.Select(row => row.Split(':')[0]), found.Select(row => row.Split(':')[0]));
    }

    private static string[] ExpectedIn(string situation) => Expected.First(row => row.Situation == situation).Found;

    private static string[] Found(string situation, string name)
    {
        using var target = Target.Open(name, new TargetOptions());
        AsyncModel model = AnalyzedTarget.Analyze(target, new AnalysisOptions(), cancellation: TestContext.Current.CancellationToken).Model;
        // The file says the same.
        using var file = new MemoryStream();
        ModelWriter.Write(model, null, redacts: false, file);
        file.Position = 0;
        Assert.Equal(AnalysisList.In(model).Select(finding => finding.Text), AnalysisList.In(ModelReader.Read(file).Model).Select(finding => finding.Text));
        string[] named = [.. ExpectedIn(situation).Select(row => row.Split(": ")[1])];
        return [.. AnalysisList.In(model).Select(finding => string.Create(CultureInfo.InvariantCulture, $"{finding.Rule} {finding.Confidence} {finding.Blocked}: {named.FirstOrDefault(name => Names(finding, name)) ?? finding.Text}"))];

        static bool Names(Finding finding, string name)
            => finding.Text.Contains($".{name} (", StringComparison.Ordinal) || finding.Evidence.Any(step => step.Line is not null && step.Method?.Contains($".{name}(", StringComparison.Ordinal) == true);
    }
}
