using Async2.Analysis.Nodes;
using Async2.Analysis.Targets;

namespace Async2.Analysis.Threads;

/// <summary>Threads in Task.WaitAll: what their tasks count down is a combinator that only a thread knows.</summary>
internal static class BlockedForAll
{
    /// <summary>The same index with a combinator for each of them.</summary>
    public static HeapIndex In(HeapIndex index, IReadOnlyList<ThreadSegment> segments, Target target)
    {
        if (index.Layout.Task is not { } layout)
            return index;
        var tasks = new PendingTasks(target, layout);
        PromiseRow[] found = [.. segments.Select(segment => segment.BlockedOn).Where(tasks.IsCountdown).Distinct().Select(address => new PromiseRow(address, 0, NeedsAll: true))];
        return found.Length == 0 ? index : index.WithCombinators(found);
    }
}
