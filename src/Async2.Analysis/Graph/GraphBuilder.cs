using Async2.Analysis.Nodes;
using Async2.Analysis.Targets;

namespace Async2.Analysis.Graph;

/// <summary>Joins chains both ways: from a task to those who wait for it, and from a chain's leaf to the task it awaits.</summary>
internal static class GraphBuilder
{
    /// <param name="index">The async objects.</param>
    /// <param name="readAwaiters">Adds the tasks behind a continuation object to a list, in waiting order.</param>
    /// <param name="awaitedAddress">Address of what the leaf of a chain waits for, by position of the chain; 0 when unknown.</param>
    /// <param name="problems">Told about edges that contradict each other.</param>
    public static AsyncGraph Build(HeapIndex index, Func<ulong, List<ulong>, bool> readAwaiters, Func<int, ulong> awaitedAddress, ProblemLog problems)
    {
        var graph = new AsyncGraph(index.Tasks.Length);
        var waiting = new List<ulong>();
        for (int awaited = 0; awaited < index.Tasks.Length; awaited++)
        {
            waiting.Clear();
            readAwaiters(index.Tasks[awaited].Awaiter, waiting);
            foreach (ulong address in waiting)
            {
                if (index.FindTask(address) is >= 0 and var waiter && !graph.Add(waiter, awaited))
                    problems.Add(ProblemCodes.UnexpectedObject, "a chain is registered as waiter of two tasks; the first is shown", address);
            }
        }
        for (int waiter = 0; waiter < index.Tasks.Length; waiter++)
        {
            if (graph.Awaits(waiter) < 0 && awaitedAddress(waiter) is not 0 and var address && index.FindTask(address) is >= 0 and var awaited)
                graph.Add(waiter, awaited);
        }
        return graph;
    }
}
