using Async2.Analysis.Awaiters;
using Async2.Analysis.Code.Suspension;
using Async2.Analysis.Heap;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Nodes;
using Async2.Analysis.Stacks.Frames;
using Async2.Analysis.Threads;
using Async2.Analysis.Waits.Reading;
using Async2.Analysis.Waits.Resuming;

namespace Async2.Analysis.Stacks;

/// <summary>
/// All that has to be asked of the target while stacks are put together. What is done with the answers is pure: a drawing can
/// answer as well as a process.
/// </summary>
internal sealed record StackReaders
{
    public required FrameSource Frames { get; init; }

    /// <summary>Adds the tasks that wait behind a continuation object to a list, in waiting order; false when some are not known.</summary>
    public required Func<ulong, List<ulong>, bool> ReadAwaiters { get; init; }

    /// <summary>What a continuation's references hold for a task; the last argument says that the frame is one of the runtime's own.</summary>
    public required Func<ulong, ulong, bool, AwaitedObject?> FindAwaited { get; init; }

    /// <summary>What a chain waits for whose task is the box of a thunk.</summary>
    public Func<NodeRow, AwaitedObject?> FindThunkAwaited { get; init; } = _ => null;

    /// <summary>What a state machine waits for, and the field that holds its awaiter (null: not known).</summary>
    public Func<NodeRow, string?, AwaitedObject?> FindMachineAwaited { get; init; } = (_, _) => null;

    /// <summary>What a chain of tasklets waits for, by its owner.</summary>
    public Func<NodeRow, AwaitedObject?> FindTaskletAwaited { get; init; } = _ => null;

    /// <summary>Why what is at an address has not happened yet; what is met on the way is noted in the trail.</summary>
    public Func<ulong, WaitTrail, WaitReason?> DescribeWait { get; init; } = (_, _) => null;

    /// <summary>Type and name of what is waited for, by its address, objects on the waiter's stack and its thread; null where nobody can tell.</summary>
    public Func<ulong, IEnumerable<ulong>, int?, WaitResource>? DescribeResource { get; init; }

    /// <summary>Where an operation is queued to go on, by its address and whether what it awaits has completed; null when nobody knows.</summary>
    public Func<ulong, bool, Resumption?> FindResumption { get; init; } = (_, _) => null;

    /// <summary>Managed ids of threads of which it is not known what they do.</summary>
    public IReadOnlyList<int> UnseenThreads { get; init; } = [];

    /// <summary>Why a thread does not go on that blocks; null when that cannot be told.</summary>
    public Func<ThreadSegment, WaitReason?> DescribeThreadWait { get; init; } = _ => null;

    /// <summary>Whether a field of the object whose method an operation is, is 0; false when that cannot be told.</summary>
    public Func<ulong, string, bool> IsZeroInOwner { get; init; } = (_, _) => false;

    /// <summary>Frames that the JIT left out between a caller and the next deeper frame (null: what its code calls), innermost first.</summary>
    public required Func<SuspensionPoint, SuspensionPoint?, IReadOnlyList<LogicalFrame>> ElidedBetween { get; init; }

    /// <summary>Frames that the JIT left out above the outermost one of a chain, innermost first.</summary>
    public Func<SuspensionPoint, IReadOnlyList<LogicalFrame>> ElidedAbove { get; init; } = _ => [];

    /// <summary>How long somebody waits for another operation's task, in ms, by the promise in between; null where there is no limit.</summary>
    public Func<ulong, long?> PatienceOf { get; init; } = _ => null;

    /// <summary>Address of the timer that ends a wait for another operation's task, by the promise in between; 0 for none.</summary>
    public Func<ulong, ulong> TimerOf { get; init; } = _ => 0;

    /// <summary>
    /// Operations that wait, with the context or scheduler on which they go on, as it was captured at the await; the argument tells the
    /// address of what an operation awaits, by its own.
    /// </summary>
    public Func<Func<ulong, ulong>, IEnumerable<(ulong Operation, Resumption Place)>> FindCaptured { get; init; } = _ => [];

    /// <summary>The context or scheduler that a suspended frame saved to go on there; null for none.</summary>
    public Func<ulong, Resumption?> FindSavedPlace { get; init; } = _ => null;

    /// <summary>Parts of the heap with their generation, by address.</summary>
    public IReadOnlyList<GenerationRange> Generations { get; init; } = [];

    /// <summary>Texts that <see cref="StackPart.Note"/> counts, each once.</summary>
    public List<string> Notes { get; } = [];

    /// <summary>Types of objects; null where nobody can tell.</summary>
    public ObjectTypes? Types { get; init; }

    /// <summary>Leaves out chains that changed while they were read; null when none can have.</summary>
    public TornChains? Torn { get; init; }

    /// <summary>Threads that have to do with no operation are wanted, too.</summary>
    public bool AllThreads { get; init; }

    /// <summary>What threads execute.</summary>
    public IReadOnlyList<ThreadSegment> Segments { get; init; } = [];
}
