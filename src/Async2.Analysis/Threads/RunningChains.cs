using Async2.Analysis.Layouts;
using Async2.Analysis.Model;
using Async2.Analysis.Nodes;
using Async2.Analysis.Targets.Contract;

namespace Async2.Analysis.Threads;

/// <summary>
/// In .NET 11 the task of a chain that a thread executes has no continuation; the thread knows the rest of the chain. A task without
/// a continuation that no known thread executes is in transition: its state is not guessed.
/// </summary>
internal static class RunningChains
{
    /// <summary>The same index, with running chains beginning at the caller of the method that runs.</summary>
    public static HeapIndex In(HeapIndex index, IReadOnlyList<ThreadSegment> segments, ProblemLog problems)
    {
        if (index.Layout.Continuation is { Shape: ContinuationShape.Arrays })
            return index;
        var heads = new Dictionary<ulong, ulong>();
        foreach (ThreadSegment segment in segments)
        {
            if (segment is { HasLeftChain: true, RunsIn: not 0 })
                heads[segment.RunsIn] = segment.Continuation;
        }
        int count = 0;
        ulong first = 0;
        foreach (ref readonly NodeRow row in index.Nodes)
        {
            if (row is not { IsChain: true, Body: 0 } || heads.ContainsKey(row.Address))
                continue;
            count++;
            first = first == 0 ? row.Address : first;
        }
        if (count > 0)
        {
            problems.Add(ProblemCodes.InTransition, FormattableString.Invariant(
                $"{count:N0} {(count == 1 ? "chain is" : "chains are")} in transition: neither suspended nor found on a thread, so no frames are shown"), first);
        }
        return heads.Count == 0 ? index : index.WithHeads(heads);
    }
}
