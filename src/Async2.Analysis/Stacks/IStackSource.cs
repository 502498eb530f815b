using Async2.Analysis.Awaiters;
using Async2.Analysis.Code.Suspension;
using Async2.Analysis.Heap;
using Async2.Analysis.Holders;
using Async2.Analysis.Identity;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Nodes;
using Async2.Analysis.Reachability;
using Async2.Analysis.Stacks.Frames;
using Async2.Analysis.Threads;
using Async2.Analysis.Waits.Faults;
using Async2.Analysis.Waits.Reading;
using Async2.Analysis.Waits.Resuming;

namespace Async2.Analysis.Stacks;

/// <summary>
/// Everything that is read while stacks are built: from a target (<see cref="TargetStackSource"/>), or from a drawing in a test. What
/// is done with the answers is pure.
/// </summary>
internal interface IStackSource
{
    /// <summary>Reads frames.</summary>
    IFrameSource Frames { get; }

    /// <summary>Types of objects; null if the source has none.</summary>
    ObjectTypes? Types { get; }

    /// <summary>Knows which locks frames hold; null if the source has no code.</summary>
    HolderReader? Holders { get; }

    /// <summary>Knows which tasks have failed without anybody hearing of it; null if the source has none.</summary>
    FaultReader? Faults { get; }

    /// <summary>Knows for whom frames work; null if the source has no objects.</summary>
    LabelReader? Labels { get; }

    /// <summary>Adds the tasks that wait behind a continuation object to a list, in waiting order; false when some are not known.</summary>
    bool ReadAwaiters(ulong continuationObject, List<ulong> found);

    /// <summary>Some continuation objects will be read soon (<see cref="AwaiterReader.Announce"/>).</summary>
    void Announce(ulong later, ulong soon)
    {
    }

    /// <summary>The object at an address will be read soon.</summary>
    void Announce(ulong address)
    {
    }

    /// <summary>What the references that a chain's innermost continuation saved hold for its task.</summary>
    /// <param name="gcData">The references.</param>
    /// <param name="task">The chain's task.</param>
    /// <param name="isLeafOfRuntime">The frame is one of the runtime's own.</param>
    AwaitedObject? AwaitedByChain(ulong gcData, ulong task, bool isLeafOfRuntime);

    /// <summary>Whether a chain awaits a task of which it is known that it names the chain as its waiter.</summary>
    /// <param name="gcData">References saved in its innermost continuation.</param>
    /// <param name="task">The ThunkTask of the chain.</param>
    /// <param name="awaited">The other task.</param>
    bool ChainAwaits(ulong gcData, ulong task, ulong awaited) => AwaitedByChain(gcData, task, false)?.Address == awaited;

    /// <summary>What a chain waits for if its owner has it, and not its frames (<see cref="Families.Contract.IAsyncFamily.OwnerAwaits"/>).</summary>
    AwaitedObject? AwaitedByOwner(in NodeRow row);

    /// <summary>What a state machine waits for.</summary>
    /// <param name="row">The machine.</param>
    /// <param name="awaiterField">The field that holds its awaiter; null if unknown.</param>
    AwaitedObject? AwaitedByMachine(in NodeRow row, string? awaiterField);

    /// <summary>Why the awaited object at an address has not completed; null if that is unknown.</summary>
    /// <param name="awaited">The address.</param>
    /// <param name="trail">Gets the timers that end the wait, and what the object stands for.</param>
    WaitReason? ReasonOf(ulong awaited, WaitTrail trail);

    /// <summary>Why a blocked thread does not continue; null if that is unknown.</summary>
    WaitReason? ReasonOf(ThreadSegment thread);

    /// <summary>Whether a thread blocks for a limited time; false if that is unknown.</summary>
    bool IsLimited(ThreadSegment thread);

    /// <summary>Type and name of what is waited for.</summary>
    /// <param name="resource">Its address.</param>
    /// <param name="stack">Objects on the waiter's stack.</param>
    /// <param name="thread">The waiter's thread; null for none.</param>
    WaitResource Describe(ulong resource, IEnumerable<ulong> stack, int? thread);

    /// <summary>Which static field leads to a plain promise; null if none does, or nobody asked for a search of the heap.</summary>
    /// <param name="promise">The address of its task.</param>
    WaitResource? DescribePromise(ulong promise);

    /// <summary>Where an operation is queued to resume; null if that is unknown.</summary>
    /// <param name="operation">Its address.</param>
    /// <param name="isCompleted">What it awaits has completed.</param>
    Resumption? ResumptionOf(ulong operation, bool isCompleted);

    /// <summary>The scheduler to which a task is queued that has not begun; null for none, and for the thread pool.</summary>
    /// <param name="task">Its address.</param>
    Resumption? QueueOf(ulong task);

    /// <summary>The timeout of a wait for another operation's task, in ms, read from the promise in between; null if there is no timeout.</summary>
    long? TimeoutOf(ulong promise);

    /// <summary>Address of the timer that ends a wait for another operation's task, by the promise in between; 0 for none.</summary>
    ulong TimerOf(ulong promise);

    /// <summary>Operations that wait, with the context or scheduler on which they go on, as it was captured at the await.</summary>
    /// <param name="awaitedBy">Address of what an operation awaits, by its own.</param>
    IEnumerable<(ulong Operation, Resumption Place)> PlacesCaptured(Func<ulong, ulong> awaitedBy);

    /// <summary>The context or scheduler that a suspended frame saved to go on there; null for none.</summary>
    Resumption? PlaceSavedBy(ulong frame);

    /// <summary>Whether waits that nothing can end are searched for.</summary>
    OrphanSearch OrphanSearch { get; }

    /// <summary>A pending task that only a TaskCompletionSource completes, not a timer, a socket, a delegate.</summary>
    bool IsPlainPromise(ulong awaited);

    /// <summary>A task has not completed; true if that is unknown.</summary>
    bool IsPending(ulong task) => true;

    /// <summary>The promise that a timer completes when its callbacks have returned; 0 if nobody waits for that, or the object is not a timer.</summary>
    ulong NotifiedBy(ulong timer) => 0;

    /// <summary>Name of the type of the object at an address; null if there is none.</summary>
    string? TypeNameOf(ulong address) => null;

    /// <summary>Searches the heap for waits that nothing can end; null where that was not wanted.</summary>
    /// <param name="waits">Those in question; the first that may be without an end is enough where <see cref="Stacks.OrphanSearch.IsTooBig"/>.</param>
    /// <param name="operations">Addresses of operations of which it is in question whether anything reaches them.</param>
    /// <param name="hasCandidate">One of the waits may be without an end.</param>
    /// <param name="cancellation">When set, nothing is known.</param>
    ReachAnswer? FindOrphans(IReadOnlyList<WaitGate> waits, IReadOnlyList<ulong> operations, bool hasCandidate, CancellationToken cancellation);

    /// <summary>Of operations of sockets those of whose connections both ends are among them, and wait for each other: address of the other end's socket.</summary>
    /// <param name="waiting">Operations, and their sockets.</param>
    /// <param name="areSending">They send, and nobody takes what either end has got; otherwise they receive, and nothing is under way.</param>
    IReadOnlyDictionary<ulong, ulong> OtherEnds(IReadOnlyCollection<(ulong Operation, ulong Socket)> waiting, bool areSending) => new Dictionary<ulong, ulong>();

    /// <summary>Somebody waited for a pending task and has left: its list of waiters is there, and has none.</summary>
    /// <param name="continuationObject">What the task's <c>m_continuationObject</c> holds.</param>
    bool WasLeft(ulong continuationObject);

    /// <summary>The Dataflow block that goes on when a task is done for which ContinueWith has made a continuation; 0 for none.</summary>
    ulong BlockBehind(ulong continuation) => 0;

    /// <summary>How many items a Dataflow block handles at once; null if that is not known, or it is not a block.</summary>
    int? WorkersOf(ulong block) => null;

    /// <summary>The context in whose <c>Send</c> a thread blocks until what it sends has run there; null for none.</summary>
    Resumption? SentTo(ThreadSegment thread) => null;

    /// <summary>Managed ids of threads that run under a SynchronizationContext of their own, ascending.</summary>
    IReadOnlyList<int> ContextThreads { get; }

    /// <summary>Parts of the heap with their generation, by address.</summary>
    IReadOnlyList<GenerationRange> Generations { get; }

    /// <summary>Whether a field of the object whose method an operation is, is 0; false if that is unknown.</summary>
    bool IsZeroInOwner(ulong operation, string field);

    /// <summary>Frames that the JIT left out between a caller and the next deeper frame (null: what its code calls), innermost first.</summary>
    IReadOnlyList<ElidedPlace> ElidedBetween(SuspensionPoint caller, SuspensionPoint? deeper);

    /// <summary>Frames that the JIT left out above the outermost one of a chain, innermost first.</summary>
    IReadOnlyList<LogicalFrame> ElidedAbove(SuspensionPoint outermost);
}

/// <summary>What stacks are built from: what was read of heap and threads.</summary>
/// <param name="Index">The async objects.</param>
internal sealed record StackInput(HeapIndex Index)
{
    /// <summary>What threads execute.</summary>
    public IReadOnlyList<ThreadSegment> Segments { get; init; } = [];

    /// <summary>Managed ids of threads of which it is not known what they do.</summary>
    public IReadOnlyList<int> ThreadsWithoutRegisters { get; init; } = [];

    /// <summary>Threads that have to do with no operation are wanted, too.</summary>
    public bool AllThreads { get; init; }

    /// <summary>Leaves out chains that changed while they were read; null when none can have.</summary>
    public TornChains? Torn { get; init; }
}

/// <summary>Whether waits that nothing can end are searched for.</summary>
internal enum OrphanSearch
{
    /// <summary>Nobody wants it.</summary>
    None,

    /// <summary>The heap is too big for it, which is said if some wait may be without an end.</summary>
    IsTooBig,

    /// <summary>The whole heap is searched, if some wait may be without an end or somebody asked for it.</summary>
    Heap,
}
