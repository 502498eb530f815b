using Async2.Analysis.Code;
using Async2.Analysis.Nodes;
using Async2.Analysis.Nodes.Waits;

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

    /// <summary>Why what is at an address has not happened yet; asked for stacks that are shown only.</summary>
    public Func<ulong, WaitFacts?> DescribeWait { get; init; } = _ => null;

    /// <summary>Frames that the JIT left out between a caller and the next deeper frame (null: what its code calls), innermost first.</summary>
    public required Func<SuspensionPoint, SuspensionPoint?, IReadOnlyList<LogicalFrame>> ElidedBetween { get; init; }

    /// <summary>Chains that threads execute, by the address of their task.</summary>
    public required IReadOnlyDictionary<ulong, RunningChain> Running { get; init; }
}
