using Async2.Analysis.Model;
using Async2.Analysis.Model.Graph;
using Async2.Analysis.Threads;
using Async2.Analysis.Waits.Resuming;

namespace Async2.Analysis.Graph;

/// <summary>Adds to the graph which threads wait for which, and closes the cycles that this makes.</summary>
internal static class ThreadWaits
{
    /// <param name="graph">With all awaits.</param>
    /// <param name="segments">Its segments.</param>
    /// <param name="reasons">What a thread waits for.</param>
    /// <param name="resumption">Where an operation goes on, by its position, that could.</param>
    /// <param name="isLimited">A thread blocks for a limited time.</param>
    /// <returns>False when not all cycles are known.</returns>
    public static bool Join(AsyncGraph graph, IReadOnlyList<ThreadSegment> segments, Func<ThreadSegment, WaitReason?> reasons, Func<int, Resumption?> resumption, Func<ThreadSegment, bool> isLimited)
    {
        Dictionary<int, int> innermost = Innermost(segments);
        // Code is read for it, and the search for cycles asks again and again.
        bool[] limited = [.. segments.Select(isLimited)];
        for (int i = 0; i < segments.Count; i++)
        {
            int node = graph.SegmentNode(i), first = innermost[segments[i].ThreadId];
            if (i != first)
                graph.AddHold(node, new([graph.SegmentNode(first)], NeedsAll: true) { IsOwnThread = true });
            else if (graph.Awaits(node) < 0 && reasons(segments[i]) is { Holders.IsEmpty: false } wait)
                graph.AddHold(node, HoldOf(graph, limited[i], wait, innermost));
        }
        for (int node = 0; node < graph.Operations; node++)
        {
            if (graph.Awaits(node) < 0 && resumption(node) is { Threads.Count: > 0 } next)
                graph.AddHold(node, HoldOf(graph, next, innermost));
        }
        return new HoldCycles(graph, segment => limited[segment - graph.Operations]).Close();
    }

    /// <summary>Position of the innermost segment of each thread that has one.</summary>
    public static Dictionary<int, int> Innermost(IReadOnlyList<ThreadSegment> segments)
    {
        var innermost = new Dictionary<int, int>();
        for (int i = 0; i < segments.Count; i++)
            innermost.TryAdd(segments[i].ThreadId, i);
        return innermost;
    }

    // One free thread is mostly enough. The state of a thread without frames is unknown.
    private static Hold HoldOf(AsyncGraph graph, Resumption next, Dictionary<int, int> innermost)
        => new([.. next.Threads.Where(innermost.ContainsKey).Select(id => graph.SegmentNode(innermost[id]))], next.NeedsAll)
        {
            IsLimited = !next.Threads.All(innermost.ContainsKey),
        };

    private static Hold HoldOf(AsyncGraph graph, bool isLimited, WaitReason wait, Dictionary<int, int> innermost)
        => new([.. wait.Holders.Where(innermost.ContainsKey).Select(id => graph.SegmentNode(innermost[id]))], NeedsAll: true)
        {
            IsLimited = isLimited,
        };
}
