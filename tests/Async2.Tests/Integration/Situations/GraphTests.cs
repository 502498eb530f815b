using System.Text;
using Async2.Analysis;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Graph;
using Async2.Analysis.Query;
using Async2.Analysis.Rendering.Formats;
using Async2.Analysis.Snapshots;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;
using Async2.Tests.Support;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Integration.Situations;

/// <summary>
/// All edges of real programs, in both builds: what their source says that they wait for, hold, run on and go on in. None is missing, and none is
/// there that the source does not say.
/// </summary>
[Trait("Category", "Integration")]
public sealed class GraphTests
{
    private const string Linked = """
        AllAsync Awaits Combinator (ContinuationObject)
        PartAsync PartOf Combinator (ContinuationObject)
        OtherPartAsync PartOf Combinator (ContinuationObject)
        PartAsync BlockedOn Task Task (SavedAwaiter)
        OtherPartAsync BlockedOn Task Task (SavedAwaiter)
        DelayAsync CompletedBy Timer (Field)
        ForeverAsync BlockedOn Timer (SavedAwaiter)
        TickAsync CompletedBy Timer Linked.Clock (Field)
        LimitedAsync Awaits InnerAsync (ContinuationObject)
        LimitedAsync CompletedBy Timer (Field)
        InnerAsync BlockedOn Task Task (SavedAwaiter) x2
        ImpatientAsync BlockedOn Task Task (Field)
        ImpatientAsync CompletedBy Timer (Field)
        TillAsync BlockedOn Semaphore Linked.Till (WaitQueue)
        ReceiveAsync CompletedBy Socket (Field)
        RunAsync Awaits frames of Work (ContinuationObject)
        frames of Work RunsOn thread (ThreadStack)
        OnContextAsync BlockedOn Task Task (SavedAwaiter)
        OnContextAsync ResumesOn SynchronizationContext UiContext (CapturedContext)
        OffContextAsync Awaits OffCalledAsync (ContinuationObject)
        LeftAsync Awaits OffCalledAsync (ContinuationObject)
        OffCalledAsync BlockedOn Task Task (SavedAwaiter) x2
        ScheduledAsync BlockedOn Task Task (SavedAwaiter)
        ScheduledAsync ResumesOn TaskScheduler ConcurrentExclusiveTaskScheduler (CapturedContext)
        InnerAsync ResumesOn SynchronizationContext UiContext (CapturedContext)
        SynchronizationContext UiContext RunsOn thread (Field)
        frames of Run BlockedOn Channel UiContext._queue (ThreadStack)
        frames of Run RunsOn thread (ThreadStack)
        frames of Start.lambda CompletedBy thread (ThreadStack)
        frames of Start.lambda RunsOn thread (ThreadStack) x2
        """;

    private const string Locked = """
        frames of HoldAsync RunsOn thread (ThreadStack)
        frames of HoldAsync BlockedOn Event Locked.Never (ThreadStack)
        frames of WantAsync RunsOn thread (ThreadStack)
        frames of WantAsync BlockedOn Lock Locked.Till (ThreadStack)
        an operation RunsOn frames of HoldAsync (ThreadStack)
        an operation RunsOn frames of WantAsync (ThreadStack)
        Lock Locked.Till HeldBy thread (OwnerRecord)
        """;

    private const string Crossed = """
        PayAsync Awaits an operation (ContinuationObject)
        an operation RunsOn frames of CountAsync (ThreadStack)
        frames of Cashier BlockedOn PayAsync (ThreadStack)
        frames of Cashier RunsOn thread (ThreadStack)
        frames of CountAsync BlockedOn Lock Jams.Till (ThreadStack)
        frames of CountAsync RunsOn thread (ThreadStack)
        Lock Jams.Till HeldBy thread (OwnerRecord)
        """;

    private const string Named = """
        EnterAsync BlockedOn Semaphore Named.Till (WaitQueue) x2
        EnterAsync BlockedOn Semaphore Named.Door (WaitQueue) x3
        EnterAsync BlockedOn Semaphore Named.Gates[1] (WaitQueue)
        EnterAsync BlockedOn Semaphore Named.Guests[...] (WaitQueue)
        EnterAsync BlockedOn Semaphore SemaphoreSlim (WaitQueue)
        BakeAsync BlockedOn Semaphore Named._oven (WaitQueue) x2
        ServeAsync BlockedOn Channel Named._orders (WaitQueue)
        frames of Block.lambda BlockedOn Lock Named._lock (ThreadStack)
        frames of Block.lambda RunsOn thread (ThreadStack) x2
        Lock Named._lock HeldBy thread (OwnerRecord)
        """;

    private const string Waited = """
        PickAsync BlockedOn Task Task (SavedAwaiter)
        PackAsync BlockedOn Task Task (SavedAwaiter)
        SendAsync BlockedOn Task Task (SavedAwaiter)
        PickAsync PartOf Combinator (ContinuationObject)
        PackAsync PartOf Combinator (ContinuationObject)
        frames of WaitForAll BlockedOn Combinator (ThreadStack)
        frames of WaitForAll RunsOn thread (ThreadStack)
        frames of WaitForHandle BlockedOn SendAsync (ThreadStack)
        frames of WaitForHandle RunsOn thread (ThreadStack)
        """;

    private const string Served = """
        PatientAsync BlockedOn Task Task (SavedAwaiter)
        PatientAsync ResumesOn SynchronizationContext UiContext (CapturedContext)
        SynchronizationContext UiContext RunsOn thread (Field) x2
        frames of Run BlockedOn Channel UiContext._queue (ThreadStack)
        frames of Run RunsOn thread (ThreadStack)
        frames of StartShared.lambda BlockedOn PatientAsync (ThreadStack)
        frames of StartShared.lambda RunsOn thread (ThreadStack)
        """;

    private const string Exclusive = """
        LoadAsync ResumesOn TaskScheduler ConcurrentExclusiveTaskScheduler (CapturedContext)
        TaskScheduler ConcurrentExclusiveTaskScheduler RunsOn thread (Field)
        frames of StartScheduler.lambda BlockedOn LoadAsync (ThreadStack)
        frames of StartScheduler.lambda RunsOn thread (ThreadStack)
        """;

    private const string Starved = """
        AskAsync ResumesOn thread pool (WorkQueue)
        frames of Sleep RunsOn thread (ThreadStack) x4
        """;

    private const string Yielded = """
        YieldAsync ResumesOn SynchronizationContext UiContext (WorkQueue)
        SynchronizationContext UiContext RunsOn thread (Field)
        frames of Run BlockedOn Channel UiContext._queue (ThreadStack)
        frames of Run RunsOn thread (ThreadStack)
        frames of StartYielded.lambda BlockedOn YieldAsync (ThreadStack)
        frames of StartYielded.lambda RunsOn thread (ThreadStack)
        """;

    private const string Listed = """
        SecondAsync ResumesOn thread (ThreadStack)
        frames of StartListed.lambda RunsOn thread (ThreadStack)
        """;

    private const string CombinatorCycle = """
        CollectAsync Awaits Combinator (ContinuationObject)
        ConfirmAsync Awaits CollectAsync (ContinuationObject)
        ConfirmAsync PartOf Combinator (ContinuationObject)
        Combinator BlockedOn Task (SavedAwaiter)
        """;

    // In a state machine each method is an operation, and goes on where it wants to itself.
    private const string LinkedInClassic = """
        CallerAsync Awaits CalledAsync (ContinuationObject)
        CallerAsync ResumesOn SynchronizationContext UiContext (CapturedContext)
        CalledAsync Awaits InnerAsync (ContinuationObject)
        """;

    public static TheoryData<string, string, string> Programs => new()
    {
        { "linked", Linked, LinkedInClassic }, { "locked", Locked, "" }, { "crossed", Crossed, "" }, { "named", Named, "" }, { "waited", Waited, "" }, { "served", Served, "" },
        { "exclusive", Exclusive, "" }, { "starved", Starved, "" }, { "yielded", Yielded, "" }, { "listed", Listed, "" }, { "combinator-cycle", CombinatorCycle, "" },
    };

    [Theory]
    [MemberData(nameof(Programs))]
    public void No_edge_is_missing_and_none_is_invented(string situation, string edges, string inClassic)
    {
        foreach (ScenarioBuild build in (ScenarioBuild[])[ScenarioBuild.Situations, ScenarioBuild.SituationsClassic])
        {
            using ScenarioProcess process = ScenarioProcess.Start(build, [situation]);
            AsyncModel model = ModelOf(process);
            string expected = edges + '\n' + (build == ScenarioBuild.SituationsClassic ? inClassic : "");
            Assert.Equal(expected.Split('\n', StringSplitOptions.RemoveEmptyEntries).Order(StringComparer.Ordinal), GraphText.Of(model, edge => IsOfProgram(model, edge)));
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Who_holds_what_a_thread_waits_for_is_the_thread_that_the_program_says(bool isClassic)
    {
        using ScenarioProcess process = ScenarioProcess.Start(isClassic ? ScenarioBuild.SituationsClassic : ScenarioBuild.Situations, ["threads"]);
        ModelGraph graph = ModelOf(process).Graph;
        var recorded = process.Truth.Threads!.ToDictionary(thread => thread.Name, thread => thread.Thread);
        (string Waiter, string Holder)[] truth = [("monitor", "holder"), ("lock", "holder"), ("write", "holder"), ("menu", "reader"), ("lazy", "factory"), ("initializer", "maker"), ("join", "holder"), ("recall", "caller")];
        var found = new List<(int Waiter, int Holder)>();
        foreach (int waiter in recorded.Values)
        {
            int segment = Assert.Single(graph.EdgesTo(graph.FindThread(waiter)), edge => edge.Kind == EdgeKind.RunsOn).From;
            foreach (Edge wait in graph.EdgesFrom(segment).Where(edge => edge.Kind is EdgeKind.BlockedOn or EdgeKind.CompletedBy))
            {
                IEnumerable<int> holders = graph[wait.To].Kind == AsyncNodeKind.Thread ? [wait.To] : graph.EdgesFrom(wait.To).Where(edge => edge.Kind == EdgeKind.HeldBy).Select(edge => edge.To);
                found.AddRange(holders.Select(holder => (waiter, graph[holder].Thread!.Value)));
            }
        }
        Assert.Equal(truth.Select(pair => (recorded[pair.Waiter], recorded[pair.Holder])).Order(), found.Order());
        Assert.All(recorded.Values, thread => Assert.Equal(StackState.Blocked, graph[graph.FindThread(thread)].State));
        Assert.DoesNotContain(null, Enumerable.Range(0, graph.Count).Select(node => graph[node]).Where(node => node.Address != 0).Select(node => node.Generation));
    }

    private static void CheckReadBack(AnalyzedTarget found, AnalysisOptions options)
    {
        StackView view = found.Ask(options, TestContext.Current.CancellationToken);
        string json = Rendered.Json(view);
        StackView read = JsonViewReader.Read(new MemoryStream(Encoding.UTF8.GetBytes(json)));
        Assert.Equal(json, Rendered.Json(read));
        Assert.Equal(Rendered.Text(view), Rendered.Text(read));
    }

    private static void CheckSnapshot(AsyncModel model)
    {
        using var file = new MemoryStream();
        ModelWriter.Write(model, null, redacts: false, file);
        file.Position = 0;
        AsyncModel read = ModelReader.Read(file).Model;
        Assert.Equal(Enumerable.Range(0, model.Graph.Count).Select(node => model.Graph[node]), Enumerable.Range(0, read.Graph.Count).Select(node => read.Graph[node]));
        Assert.Equal(GraphText.Edges(model), GraphText.Edges(read));
    }

    // Threads of the runtime, and how a thread came to run what it runs, are nobody's source.
    private static bool IsOfProgram(AsyncModel model, Edge edge) => GraphText.NameOf(model, edge.From) != "frames of a thread";

    private static AsyncModel ModelOf(ScenarioProcess process)
    {
        using var target = Target.Open($"{process.Pid}", new TargetOptions());
        AnalyzedTarget found = AnalyzedTarget.Analyze(target, new AnalysisOptions(), cancellation: TestContext.Current.CancellationToken);
        AsyncModel model = found.Model;
        CheckReadBack(found, new AnalysisOptions());
        CheckReadBack(found, new AnalysisOptions { Coalesce = false, IncludeFramework = true, Locals = true });
        CheckSnapshot(model);
        Assert.Equal(
            GraphText.Edges(model).OrderBy(edge => (edge.From, edge.To, edge.Kind)),
            Enumerable.Range(0, model.Graph.Count).SelectMany(model.Graph.EdgesTo).OrderBy(edge => (edge.From, edge.To, edge.Kind)));
        return model;
    }
}
