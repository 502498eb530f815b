using System.Text;
using System.Text.RegularExpressions;
using Async2.Analysis.Model;
using Async2.Analysis.Query;
using Async2.Analysis.Rendering.Formats;
using Async2.Tests.Support;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Integration.Findings;

/// <summary>
/// What is wrong in each situation, and what is not: every situation of the program is looked at in both builds, and what is not listed here must
/// not be found. The lists are written from the sources of the situations. Classes that run side by side look at a part of them each.
/// </summary>
internal static partial class FindingTable
{
    private const string Ui = "SynchronizationContext UiContext", Exclusive = "TaskScheduler ConcurrentExclusiveTaskScheduler";

    /// <summary>What must be found, as rule, confidence and the begin of the sentence.</summary>
    private static readonly Dictionary<string, string[]> Expected = new()
    {
        ["cycle"] = ["deadlock certain Cycles.ShipAsync (Cycles.cs:20) and Cycles.PayAsync (Cycles.cs:27) await each other"],
        ["selfEnd"] = ["deadlock certain Cycles.LoopAsync (Cycles.cs:65) awaits Cycles.FlushAsync; Cycles.FlushAsync (Cycles.cs:72) awaits Cycles.EndAsync; Cycles.EndAsync (Cycles.cs:79) awaits Cycles.LoopAsync"],
        ["ring"] = ["deadlock certain 3 x Cycles.LoadAsync (Cycles.cs:129) await each other, in a ring"],
        ["rings"] = ["deadlock certain Cycles.AskAsync (Cycles.cs:115) and Cycles.AnswerAsync (Cycles.cs:122) await each other; and 2 more cycles like it"],
        ["combinator-cycle"] = ["deadlock certain Cycles.CollectAsync (Cycles.cs:43) awaits Cycles.ConfirmAsync, among others; Cycles.ConfirmAsync (Cycles.cs:50) awaits Cycles.CollectAsync"],
        // What is done with any of several is stuck if all of them are.
        ["choice"] = ["deadlock certain Choices.AskAsync (Choices.cs:43) awaits Choices.AnswerAsync, among others; Choices.AnswerAsync (Choices.cs:50) awaits Choices.AskAsync"],
        ["choiceMany"] = ["deadlock certain Choices.AskAsync (Choices.cs:43) awaits Choices.AnswerAsync, among others; Choices.AnswerAsync (Choices.cs:50) awaits Choices.AskAsync"],
        ["choiceEach"] = ["deadlock certain Choices.AnswerAsync (Choices.cs:50) awaits Choices.EachAsync; Choices.EachAsync (Choices.cs:82) awaits Choices.AnswerAsync, among others"],
        ["unstarted"] =
        [
            "orphan certain Unstarted.RunAsync (Unstarted.cs:87) waits for a task that nothing in the process can start: it was made with new Task and not started",
            "orphan likely Unstarted.WarmUpAsync (Unstarted.cs:81) waits for a Task.WhenAll that nothing in the process can complete: one of its tasks was made with new Task and not started",
        ],
        ["awaited"] =
        [
            "orphan certain Awaited.AllAsync (Awaited.cs:75) waits for the end of a Channel<string> that nothing in the process can empty",
            "orphan certain Awaited.LostAsync (Awaited.cs:82) waits for the end of a Channel<double> that nothing in the process can complete",
        ],
        ["stopped"] = ["orphan certain Service.StopAsync (Unstarted.cs:112) waits for a Task.WhenAny that nothing in the process can complete: one of its tasks is that of the method itself"],
        ["ticked"] = ["deadlock likely Probe.Stop (Unstarted.cs:127) waits for the System.Threading.ManualResetEvent 0x#, which nobody sets but who waits for it"],
        ["tickedLocked"] = ["deadlock likely Meter.Close (Unstarted.cs:162) holds `Meter._gate` and waits for the System.Threading.ManualResetEvent 0x#, which only Meter.Tick (Unstarted.cs:169) sets; Meter.Tick (Unstarted.cs:169) waits for `Meter._gate`"],
        ["abba"] = ["deadlock certain Jams.TillFirst (Jams.cs:57) holds `Jams.Till` and waits for `Jams.Drawer`; Jams.DrawerFirst (Jams.cs:67) holds `Jams.Drawer` and waits for `Jams.Till`"],
        ["recalled"] = ["deadlock certain Jams.Recalled (Jams.cs:144) waits for `Jams.Till`; Jams.Recall (Jams.cs:153) holds `Jams.Till` and waits for thread #, which is in Jams.Recalled"],
        ["finalized"] = ["deadlock certain Ticket.Finalize (Finalized.cs:71) waits for `Finalized.Register`; Finalized.Clear (Finalized.cs:61) holds `Finalized.Register` and waits for thread #, which is in Ticket.Finalize"],
        ["finalizerBlocks"] = ["sync-over-async certain Session.Finalize (Finalized.cs:53) blocks the thread of finalizers until Finalized.CloseAsync is done"],
        ["crossed"] = ["deadlock certain Jams.CountAsync (Jams.cs:114) waits for `Jams.Till`; Jams.Cashier (Jams.cs:99) holds `Jams.Till` and blocks thread # until Jams.PayAsync is done; Jams.PayAsync (Jams.cs:107) awaits Jams.CountAsync"],
        ["transfers"] = ["deadlock * AsyncLocks.TransferAsync (AsyncLocks.cs:34) holds `Account.Gate` 0x# and waits for `Account.Gate` 0x#; AsyncLocks.TransferAsync (AsyncLocks.cs:34) holds `Account.Gate` 0x# and waits for `Account.Gate` 0x#"],
        ["passed"] = [Pair("certain", "Passed.TransferAsync (Passed.cs:32)", "the System.Threading.SemaphoreSlim 0x#")],
        ["passedOpen"] = [Pair("likely", "Passed.TransferAsync (Passed.cs:32)", "the System.Threading.SemaphoreSlim 0x#")],
        ["passedInside"] = [Pair("certain", "Passed.MoveAsync (Passed.cs:67)", "`Purse._gate` 0x#")],
        ["passedLooped"] = [Pair("certain", "Passed.AgainAsync (Passed.cs:97)", "the System.Threading.SemaphoreSlim 0x#")],
        ["reentrance"] = ["deadlock certain AsyncLocks.OuterAsync (AsyncLocks.cs:62) holds `AsyncLocks.Door` and, in AsyncLocks.InnerAsync (AsyncLocks.cs:72), waits for `AsyncLocks.Door`"],
        // The others hang on that one: nothing else is wrong with what they wait for.
        ["guarded"] = ["deadlock certain Guarded.ReadAsync (Guarded.cs:22) holds `Guarded._gate` and, in Guarded.ReadAsync (Guarded.cs:19), waits for `Guarded._gate`"],
        ["bothPermits"] = ["deadlock * AsyncLocks.SeatTwiceAsync (AsyncLocks.cs:171) holds `AsyncLocks.Seats` and waits for `AsyncLocks.Seats`"],
        ["monitorAndSemaphore"] = ["deadlock certain AsyncLocks.BookAsync (AsyncLocks.cs:114) holds `AsyncLocks.Desk` and, in AsyncLocks.Count (AsyncLocks.cs:124), waits for `AsyncLocks.Till`; AsyncLocks.StartMonitor.lambda (AsyncLocks.cs:93) holds `AsyncLocks.Till` and blocks thread # until AsyncLocks.DeskAsync is done; AsyncLocks.DeskAsync (AsyncLocks.cs:104) waits for `AsyncLocks.Desk`"],
        ["posted"] = [Context("Posted.StartContext.lambda (Posted.cs:12)", Ui, "Posted.LoadAsync", "(Posted.cs:68)")],
        ["exclusive"] = [Context("Posted.StartScheduler.lambda (Posted.cs:41)", Exclusive, "Posted.LoadAsync", "(Posted.cs:68)")],
        ["yielded"] = [Context("Queued.StartYielded.lambda (Queued.cs:16)", Ui, "Queued.YieldAsync", "(Queued.cs:104)")],
        ["yieldedTask"] = [Context("Queued.StartYieldedTask.lambda (Queued.cs:25)", Exclusive, "Queued.YieldAsync", "(Queued.cs:104)")],
        ["returned"] = [Context("Queued.StartReturned.lambda (Queued.cs:33)", Ui, "Queued.CallAsync", "(Queued.cs:109)")],
        ["returnedTask"] = [Context("Queued.StartReturnedTask.lambda (Queued.cs:42)", Exclusive, "Queued.CallAsync", "(Queued.cs:109)")],
        ["contextPending"] = [Context("Contexts.StartPending.lambda (Contexts.cs:10)", Ui, "Contexts.DelayAsync", "(Contexts.cs:17)") + ", once Task.Delay is done"],
        ["contextSent"] = ["context-deadlock * Sent.Join (Sent.cs:52) is on thread #, the only one that serves SynchronizationContext Window, and waits for thread #, which is in Window.Send; Window.Send (Sent.cs:70) waits until SynchronizationContext Window has run what it has sent there"],
        ["contextSentTask"] = ["context-deadlock * Sent.StartAwaited.lambda (Sent.cs:19) blocks thread #, the only one that serves SynchronizationContext Window, until Window.Send is done; Window.Send (Sent.cs:70) waits until SynchronizationContext Window has run what it has sent there"],
        ["contextOuter"] = [Context("Contexts.StartOuter.lambda (Contexts.cs:25)", Ui, "Contexts.OuterAsync", "(Contexts.cs:32)")],
        ["schedulers"] =
        [
            Queued("certain", "Schedulers.StartAll.lambda (Schedulers.cs:43)", "the only one that serves", "TaskScheduler WorkerScheduler", "Report"),
            "context-deadlock certain Schedulers.StartAwaited.lambda (Schedulers.cs:36) blocks thread #, the only one that serves TaskScheduler WorkerScheduler, until Schedulers.ForwardAsync is done; Schedulers.ForwardAsync (Schedulers.cs:158) can only go on in TaskScheduler WorkerScheduler",
            Queued("certain", "Schedulers.StartBoth.lambda (Schedulers.cs:64)", "like all that serve", "TaskScheduler WorkerScheduler", "Report"),
            Queued("certain", "Schedulers.StartContinued.lambda (Schedulers.cs:50)", "the only one that serves", "TaskScheduler WorkerScheduler", "StartContinued.lambda"),
            Queued("certain", "Schedulers.StartDowngraded.lambda (Schedulers.cs:80)", "the only one that serves", Exclusive, "Report"),
            Queued("certain", "Schedulers.StartOwn.lambda (Schedulers.cs:29)", "the only one that serves", "TaskScheduler WorkerScheduler", "Report"),
            Queued("certain", "Schedulers.StartUpgraded.lambda (Schedulers.cs:88)", "for which", Exclusive + " waits", "Report"),
            "context-deadlock likely Schedulers.CloseAsync (Schedulers.cs:108) blocks thread #, the only one that serves TaskScheduler MailboxScheduler, until Schedulers.AuditAsync is done; Schedulers.AuditAsync (Schedulers.cs:113) can only go on in TaskScheduler MailboxScheduler",
            Queued("likely", "Schedulers.StartLimited.lambda (Schedulers.cs:95)", "the only one that serves", "TaskScheduler LimitedScheduler", "Report"),
        ],
        ["schedulersFree"] = ["sync-over-async certain Schedulers.StartRoom.lambda (Schedulers.cs:155) blocks 2 pool threads until Schedulers.SlowAsync is done"],
        // A thread of a context that blocks is not a deadlock where another thread, a time limit or no context is left.
        ["contextFree"] = ["sync-over-async certain Contexts.StartFree.lambda (Contexts.cs:49) blocks the thread"],
        // Contexts that have no threads of their own, and one with a second thread.
        ["contextOthers"] = ["sync-over-async certain Contexts.StartOthers.lambda (Contexts.cs:74) blocks the thread"],
        ["contextLimited"] = ["sync-over-async certain Contexts.StartLimited.lambda (Contexts.cs:40) blocks the thread"],
        ["served"] = ["orphan certain Posted.PatientAsync (Posted.cs:75) waits for a TaskCompletionSource", "sync-over-async certain Posted.StartShared.lambda (Posted.cs:31) blocks the thread"],
        ["blocked"] = ["sync-over-async certain BlockedPool.Serve (BlockedPool.cs:38)", "sync-over-async certain BlockedPool.Serve (BlockedPool.cs:41)", "sync-over-async certain BlockedPool.Serve (BlockedPool.cs:44)"],
        ["generated"] = ["sync-over-async certain lambda_method1 blocks a pool thread"],
        ["channel"] = ["starvation certain all 4 pool threads block while 1 item is queued"],
        ["granted"] = ["starvation certain all 4 pool threads block while 2 items are queued"],
        ["starved"] = ["starvation certain all 4 pool threads block while 1 item is queued"],
        ["convoy"] = ["hot-resource likely 20 stacks of 21 that wait, wait for `Jams.Till`; held by Jams.Sleepy (Jams.cs:83), which waits for Thread.Sleep"],
        ["deep"] = ["orphan certain Deep.InnermostAsync (Deep.cs:16) waits for a TaskCompletionSource"],
        ["leaking"] =
        [
            "orphan certain 5 x Leaking.LeakAsync (Leaking.cs:54) wait for a TaskCompletionSource<int> that nothing in the process can complete",
            "orphan certain 7 x Leaking.StayAsync (Leaking.cs:48) wait for a TaskCompletionSource<int> that nothing in the process can complete",
        ],
        ["named"] = ["orphan certain Named.EnterAsync (Named.cs:43) waits for a SemaphoreSlim that nothing in the process can release"],
        ["namedIterator"] = ["orphan certain NamedIterator.NumbersAsync (NamedIterator.cs:24) waits for a SemaphoreSlim that nothing in the process can release"],
    };

    /// <summary>Healthy programs that look like broken ones: looked at in both builds.</summary>
    private static readonly string[] Twins = ["slowHolder", "twoPermits", "impatient", "signal", "passedReleased", "passedTried", "passedPerhaps", "passedTwo", "contextIdle", "patient", "healthy", "locked", "linked", "choiceFree", "unstartedPlanned", "stoppable", "tickedSlow", "finalizedSlow"];

    /// <summary>Situations that always move, that take long and are about something else, and those of which other tests have a table.</summary>
    private static readonly string[] NotLookedAt = ["churn", "storm", "recorded", "big", "moving", "beating", "compiling", "orphans", "computing", "holders", "holderTwins", "holderOdd", "holderMore", "lone", "leaks", "permits", "deadOwner", "deadOwners", "uiBlocks"];

    /// <summary>Families of situations of which other tests have a table, by how their names begin.</summary>
    private static readonly string[] OthersTables = ["pool", "hot", "keyed", "locker", "own", "lease", "lent", "actor", "full", "resumed", "inlined", "event", "bounded", "pipe", "readers", "promise", "way", "lostSignals", "child", "blockStuck"];

    /// <summary>Situations in which something is to be found.</summary>
    public static TheoryData<string> Wrong => [.. Names().Where(name => Expected.ContainsKey(name) && !HasOtherTable(name))];

    /// <summary>All others: in these nothing is wrong, or what is wrong is nobody's waiting.</summary>
    public static TheoryData<string> Others => [.. Names().Where(name => !Expected.ContainsKey(name) && !HasOtherTable(name))];

    /// <summary>Those of them that look like broken ones.</summary>
    public static TheoryData<string> Alike => [.. Twins];

    /// <summary>Situations that are named here, and do not exist.</summary>
    public static IEnumerable<string> Unknown => Expected.Keys.Concat(Twins).Except(Names());

    /// <summary>What is found is what is expected, and nothing else.</summary>
    public static void LookAt(string situation, bool isClassic, params (string Name, string Value)[] environment)
    {
        using ScenarioProcess process = ScenarioProcess.Start(isClassic ? ScenarioBuild.SituationsClassic : ScenarioBuild.Situations, [situation], environment);
        StackView view = Read(process.Pid);
        // In a moment in which the search for orphans cannot be made, for one in a collection, none can be found.
        for (int again = 0; again < 5 && view.Problems.Any(problem => problem.Code == ProblemCodes.ReachUnknown); again++)
            view = Read(process.Pid);
        Check(situation, view);
    }

    /// <summary>What was found in a situation is what is expected there, and nothing else.</summary>
    public static void Check(string situation, StackView view)
    {
        string[] found = [.. view.Findings.Where(finding => finding.Severity > Severity.Info && finding.Confidence > Confidence.Possible).Select(TextOf).Order(StringComparer.Ordinal)];
        string[] expected = Expected.GetValueOrDefault(situation, []);
        Assert.True(expected.Length == found.Length && found.Zip(expected).All(pair => Matches(pair.Second, pair.First)), $"found:\n{string.Join('\n', found)}\nexpected:\n{string.Join('\n', expected)}");
        Assert.All(view.Findings, finding => Check(finding, view));
    }

    private static bool HasOtherTable(string name) => NotLookedAt.Contains(name) || OthersTables.Any(begin => name.StartsWith(begin, StringComparison.Ordinal));

    // The tool reads in a process of its own: it reads again when the runtime's data access library crashes.
    private static StackView Read(int pid) => JsonViewReader.Read(new MemoryStream(Encoding.UTF8.GetBytes(ToolRun.Of($"{pid}", "--deep", "--format", "json").Output)));

    // What every finding has, whatever it is about.
    private static void Check(Finding finding, StackView view)
    {
        Assert.Matches("^f[1-9][0-9]*$", finding.Id);
        Assert.All(finding.Stacks, id => Assert.Contains(view.Stacks, stack => stack.Id == id));
        Assert.True(finding.Severity == Severity.Info || finding.Evidence.Any(step => step is { Method: not null, File: not null, Line: > 0 }), $"{finding.Text}: no line");
        Assert.True(finding.Confidence == Confidence.Certain || finding.DisprovedBy is not null, $"{finding.Text}: nothing could disprove it");
        Assert.NotNull(finding.Next);
    }

    // A star stands for certain or likely: the builds differ in what they save.
    private static bool Matches(string expected, string found)
        => found.StartsWith(expected.Replace(" * ", " certain ", StringComparison.Ordinal), StringComparison.Ordinal) || found.StartsWith(expected.Replace(" * ", " likely ", StringComparison.Ordinal), StringComparison.Ordinal);

    private static string Context(string blocker, string context, string method, string place)
        => $"context-deadlock certain {blocker} blocks thread #, the only one that serves {context}, until {method} is done; {method} {place} can only go on in {context}";

    private static string Queued(string confidence, string blocker, string how, string scheduler, string task)
        => $"context-deadlock {confidence} {blocker} blocks thread #, {how} {scheduler}, until the task {task}, which is queued there, has run";

    private static string Pair(string confidence, string holder, string gate) => $"deadlock {confidence} {holder} holds {gate} and waits for {gate}; {holder} holds {gate} and waits for {gate}";

    private static string TextOf(Finding finding) => Thread().Replace(Hex().Replace($"{finding.Rule} {finding.Confidence.ToString().ToLowerInvariant()} {finding.Text}", "0x#"), "thread #");

    private static IEnumerable<string> Names() => Row().Matches(File.ReadAllText(Repository.PathOf("dumps", "Situations", "Program.cs"))).Select(match => match.Groups[1].Value);

    [GeneratedRegex(@"\[""([\w-]+)""\] =")]
    private static partial Regex Row();

    [GeneratedRegex("0x[0-9a-f]+")]
    private static partial Regex Hex();

    [GeneratedRegex(@"thread \d+")]
    private static partial Regex Thread();
}
