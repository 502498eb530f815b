using System.Runtime.InteropServices;
using Async2.Analysis.Model.Ages;
using Async2.Analysis.Model.Graph;
using Async2.Analysis.Model.Labels;

namespace Async2.Analysis.Model;

/// <summary>
/// What was read of threads, timers and contexts besides what stacks and reasons say. All of it is sparse: a stack that waits for a task
/// adds nothing. Edges are made of it when somebody asks for some.
/// </summary>
internal sealed record GraphFacts
{
    /// <summary>Nothing.</summary>
    public static GraphFacts None { get; } = new();

    /// <summary>Why threads block that wait for no operation, by the node of their innermost segment.</summary>
    public IReadOnlyDictionary<int, WaitReason> Blocked { get; init; } = new Dictionary<int, WaitReason>();

    /// <summary>Nodes of threads that block for a limited time, ascending.</summary>
    public IReadOnlyList<int> TimeLimited { get; init; } = [];

    /// <summary>Timers that end a wait, by the awaited object: a delay's, a timeout's. In order.</summary>
    public IReadOnlyList<TimerRow> Timers { get; init; } = [];

    /// <summary>What awaited objects stand for, where that is not a resource: the task behind a timeout. In order.</summary>
    public IReadOnlyList<EndRow> Ends { get; init; } = [];

    /// <summary>Timers that end a wait for another operation.</summary>
    public IReadOnlyList<LimitRow> Limits { get; init; } = [];

    /// <summary>Contexts and schedulers on which something goes on, and the thread pool.</summary>
    public IReadOnlyList<ContextRow> Contexts { get; init; } = [];

    /// <summary>Managed ids of threads that run under a SynchronizationContext of their own, ascending: user interfaces, test runners.</summary>
    public IReadOnlyList<int> ContextThreads { get; init; } = [];

    /// <summary>Where operations go on.</summary>
    public IReadOnlyList<ResumptionRow> Resumptions { get; init; } = [];

    /// <summary>Tasks that have not begun and wait in the queue of a scheduler, by address.</summary>
    public IReadOnlyList<QueuedRow> Queued { get; init; } = [];

    /// <summary>Who holds semaphores, as far as code tells.</summary>
    public HolderFacts Holders { get; init; } = HolderFacts.None;

    /// <summary>Parts of the heap with their generation, by address.</summary>
    public IReadOnlyList<GenerationRange> Generations { get; init; } = [];

    /// <summary>Waits that nothing in the process can end, by the operation that waits. Empty also if that was not searched for.</summary>
    public IReadOnlyList<OrphanRow> Orphans { get; init; } = [];

    /// <summary>Addresses of what they wait for.</summary>
    /// <param name="isSure">Only of what nobody has but who waits for it, without any doubt.</param>
    public HashSet<ulong> AwaitedByOrphans(bool isSure = false) => [.. Orphans.Where(row => !isSure || row.Fact == OrphanFact.OnlyWaiters).Select(row => row.Awaited)];

    /// <summary>Promises that only a reader of a mailbox can complete, full channels that only some operations read, and what the code of some completes, by address.</summary>
    public IReadOnlyList<ReplyRow> Replies { get; init; } = [];

    /// <summary>Addresses of what stands for the answer to a request that this very process handles.</summary>
    public HashSet<ulong> AnsweredHere() => [.. Replies.Where(row => row.Kind == ReplyKind.Request).Select(row => row.Promise)];

    /// <summary>Promises that no code completes which is suspended, runs, or that something leads to, and full channels and pipes that none reads, by address.</summary>
    public IReadOnlyList<ulong> Nobodys { get; init; } = [];

    /// <summary>Tasks that have failed without anybody hearing of it.</summary>
    public IReadOnlyList<FaultRow> Faults { get; init; } = [];

    /// <summary>Pending operations that nobody waits for, or ever will, by their number.</summary>
    public IReadOnlyList<LostRow> Lost { get; init; } = [];

    /// <summary>For whom stacks work.</summary>
    public LabelFacts Labels { get; init; } = LabelFacts.None;

    /// <summary>
    /// By the number of a stack, a number for what its frames have in their variables, apart from addresses: equal stacks that differ in it are different
    /// operations, in each model of the process. 0 for nothing known; shorter than there are stacks, and empty where nobody asked for it.
    /// </summary>
    public uint[] Values { get; init; } = [];

    /// <summary>What tells since when something waits.</summary>
    public AgeFacts Ages { get; init; } = AgeFacts.None;
}

/// <summary>A wait that nothing in the process can end.</summary>
/// <param name="Awaited">Address of what is waited for, as the stack has it.</param>
/// <param name="Node">Number of the operation that waits.</param>
/// <param name="Fact">How it is known.</param>
[StructLayout(LayoutKind.Auto)]
internal readonly record struct OrphanRow(ulong Awaited, int Node, OrphanFact Fact);

/// <summary>How it is known that nothing can end a wait.</summary>
internal enum OrphanFact : byte
{
    /// <summary>No root reaches what is waited for, nor who waits: all of it is garbage.</summary>
    Unreachable,

    /// <summary>What is waited for is reached only through those who wait for it.</summary>
    OnlyWaiters,

    /// <summary>No TaskCompletionSource of the promise is reached; the promise itself is.</summary>
    SourceGone,

    /// <summary>Tasks that a WhenAll waits for were collected, or nothing reaches them.</summary>
    SourcesCollected,

    /// <summary>It is reached only through threads that block for it; whether it was set just now, memory does not tell.</summary>
    OnlyBlocked,
}

/// <summary>
/// A promise that nobody but one operation can complete: its request lies in the mailbox of that operation, or the operation has it. Or room in a full channel, which
/// nobody but one operation makes.
/// </summary>
/// <param name="Promise">Address of the promise; that of the mailbox where it is room that is waited for.</param>
/// <param name="Node">Number of the operation.</param>
/// <param name="Place">Number of the place of its frame that reads the mailbox.</param>
/// <param name="Mailbox">Address of the channel in which the request lies; 0 if the operation has taken it out.</param>
/// <param name="Confidence">How sure it is that nobody else takes it out.</param>
[StructLayout(LayoutKind.Auto)]
internal readonly record struct ReplyRow(ulong Promise, int Node, int Place, ulong Mailbox, Confidence Confidence)
{
    /// <summary>Not an answer is waited for, but room.</summary>
    public bool IsRoom => Promise == Mailbox;

    /// <summary>How it is known.</summary>
    public ReplyKind Kind { get; init; }

    /// <summary>The operation is one of those whose code completes the promise. One of them is enough.</summary>
    public bool IsByCode => Kind == ReplyKind.Code;
}

/// <summary>How it is known who completes a promise.</summary>
internal enum ReplyKind : byte
{
    /// <summary>The operation alone reads the mailbox in which the request lies, or has taken it out.</summary>
    Message,

    /// <summary>The operation is one of those whose code completes the promise, or releases the semaphore, from where they stand.</summary>
    Code,

    /// <summary>The operation is one of those that handle the HTTP request, in the process that has sent it.</summary>
    Request,
}

/// <summary>A task that has failed without anybody hearing of it.</summary>
/// <param name="Task">Its address.</param>
/// <param name="Exception">Type of the exception, without its namespace.</param>
/// <param name="Message">What it says; null if that is not known.</param>
/// <param name="Thrown">Number of the innermost place of the user that it went through.</param>
/// <param name="Failed">Number of the outermost: the method whose task it is.</param>
/// <param name="Waiter">Number of the operation or combinator that has the task for later; -1 for none.</param>
internal sealed record FaultRow(ulong Task, string Exception, string? Message, int Thrown, int Failed, int Waiter)
{
    /// <summary>It is the body of a service of the generic host, which has noted it and goes on.</summary>
    public bool IsOfService { get; init; }
}

/// <summary>A pending operation that nobody waits for.</summary>
/// <param name="Node">Number of the operation.</param>
/// <param name="Fact">What is known of it.</param>
[StructLayout(LayoutKind.Auto)]
internal readonly record struct LostRow(int Node, LostFact Fact);

/// <summary>What is known of an operation that nobody waits for.</summary>
internal enum LostFact : byte
{
    /// <summary>Somebody waited, and has left before it was done: WhenAny with another winner, a wait that was cancelled.</summary>
    WaiterLeft,

    /// <summary>No root reaches it: it will be collected without having gone on.</summary>
    Unreachable,
}

/// <summary>A timer that completes an awaited object.</summary>
/// <param name="Awaited">Address of the object.</param>
/// <param name="Timer">Address of the <c>TimerQueueTimer</c>.</param>
internal readonly record struct TimerRow(ulong Awaited, ulong Timer);

/// <summary>What an awaited object stands for.</summary>
/// <param name="Awaited">Address of the object.</param>
/// <param name="End">Address of what it completes with.</param>
internal readonly record struct EndRow(ulong Awaited, ulong End);

/// <summary>A timer that ends a node's wait for another operation.</summary>
/// <param name="Node">Number of the node.</param>
/// <param name="Timer">Address of the <c>TimerQueueTimer</c>.</param>
internal readonly record struct LimitRow(int Node, ulong Timer);

/// <summary>A context, a scheduler or the pool.</summary>
/// <param name="Address">Its address; 0 for the thread pool.</param>
/// <param name="Name">What it is, <c>SynchronizationContext UiContext</c>; null for the thread pool.</param>
/// <param name="Threads">Managed ids of the threads that serve it.</param>
/// <param name="IsInferred">That they do is not noted in one place.</param>
internal sealed record ContextRow(ulong Address, string? Name, IReadOnlyList<int> Threads, bool IsInferred)
{
    /// <summary>All of these threads have to come back before it goes on; otherwise one is enough.</summary>
    public bool NeedsAll { get; init; }

    /// <summary>Something is queued there, and nobody comes to it, as far as threads tell.</summary>
    public bool HasNobody { get; init; }
}

/// <summary>A task that has not begun and waits in the queue of a scheduler.</summary>
/// <param name="Task">Address of the task.</param>
/// <param name="Context">Number of the scheduler.</param>
/// <param name="Source">How it is known.</param>
internal sealed record QueuedRow(ulong Task, int Context, EdgeSource Source);

/// <summary>An operation that goes on in a context, or on a thread.</summary>
/// <param name="Node">Number of the operation.</param>
/// <param name="Context">Number of the context; -1 for a thread.</param>
/// <param name="Thread">Managed id of the thread.</param>
/// <param name="Source">How it is known.</param>
[StructLayout(LayoutKind.Auto)]
internal readonly record struct ResumptionRow(int Node, int Context, int Thread, EdgeSource Source);

/// <summary>A part of the heap whose objects have survived as many collections.</summary>
/// <param name="Start">Address of its first byte.</param>
/// <param name="End">Address behind its last.</param>
/// <param name="Generation">0, 1 or 2; objects of the large and pinned heaps are in 2.</param>
internal sealed record GenerationRange(ulong Start, ulong End, byte Generation);
