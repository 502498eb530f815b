using Async2.Analysis.Nodes;
using Async2.Analysis.Threads;

namespace Async2.Analysis.Families.JitVariant;

/// <summary>
/// Which continuation a thunk of the async2 experiment resumes: its chain begins with the first that it resumed, and those that have
/// returned since are still linked. The frames of the runtime between the thunk and the user's code hold the one that runs.
/// </summary>
internal static class ThunkDispatch
{
    /// <summary>The same segments; those that execute such a chain say where it was resumed.</summary>
    public static IReadOnlyList<ThreadSegment> Join(HeapIndex index, IReadOnlyList<ThreadSegment> segments)
        => segments.Any(segment => HeadOf(index, segment) is not null)
            ? [.. segments.Select(segment => HeadOf(index, segment) is { } head ? segment with { Continuation = Resumed(index, head, segment.RuntimeRoots) } : segment)]
            : segments;

    private static ulong? HeadOf(HeapIndex index, ThreadSegment segment)
        => segment.RunsIn != 0 && index.FindNode(segment.RunsIn) is >= 0 and var node && index.Nodes[node] is { Kind: NodeKind.BoxedChain } row ? row.Body : null;

    // The outermost continuation of the chain that the frames hold; 0 when they hold none.
    private static ulong Resumed(HeapIndex index, ulong head, IEnumerable<ulong> roots)
    {
        var held = new HashSet<ulong>(roots);
        ulong resumed = 0;
        int current = index.FindFrame(head);
        // A torn chain may be a cycle.
        for (int i = 0; i < index.Frames.Count && current >= 0; i++, current = index.Frames.Next(current))
        {
            if (held.Contains(index.Frames.AddressOf(current)))
                resumed = index.Frames.AddressOf(current);
        }
        return resumed;
    }
}
