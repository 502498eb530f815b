using Async2.Analysis.Formatting;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Graph;

namespace Async2.Analysis.Analyses;

/// <summary>What a node waits for in the end, over stacks and held resources: who holds something up does so because of that.</summary>
/// <param name="Progress">Whether it will go on.</param>
/// <param name="Text">What it is: <c>Task.Delay, due in 9 min</c>; null if that is not known.</param>
/// <param name="Node">The last node that waits.</param>
internal sealed record WaitEnd(WaitProgress Progress, string? Text, int Node)
{
    // A timer that is due within this time ends by itself before anybody could look again.
    private const long Soon = 1000;
    private const int HopLimit = 1000;

    /// <summary>Follows the waits of a node.</summary>
    public static WaitEnd Of(AsyncModel model, int node)
    {
        var seen = new HashSet<int>();
        for (int i = 0; i < HopLimit; i++)
        {
            node = model.Graph.ActingFor(node);
            if (!seen.Add(node) || model.Graph.StackOf(node) is not (>= 0 and var stack))
                break;
            StackRow row = model.Stacks.Rows[stack];
            if (row.State is StackState.Active or StackState.Scheduled)
                return new(WaitProgress.Runs, null, node);
            if (model.WaitsForNode(stack) is >= 0 and var next)
            {
                node = next;
                continue;
            }
            int inner = model.Stacks.NodeOf(stack, 0);
            WaitReason? reason = model.ReasonOf(stack);
            if (reason is not null && HolderOf(model, reason) is >= 0 and var holder && !seen.Contains(holder))
            {
                node = holder;
                continue;
            }
            return new(ProgressOf(reason), reason is null ? model.Stacks.WaitOf(stack)?.Text : WaitFormatter.Full(reason), inner);
        }
        return new(WaitProgress.Unknown, null, node);
    }

    private static int HolderOf(AsyncModel model, WaitReason reason)
    {
        for (WaitReason? level = reason; level is not null; level = level.Behind)
        {
            if (model.Graph.Find(level.Resource) is >= 0 and var resource)
            {
                foreach (Edge edge in model.Graph.EdgesFrom(resource))
                {
                    if (edge.Kind == EdgeKind.HeldBy)
                        return edge.To;
                }
            }
        }
        return -1;
    }

    private static WaitProgress ProgressOf(WaitReason? reason)
    {
        for (WaitReason? level = reason; level is not null; level = level.Behind)
        {
            if (level.Kind is WaitKind.Socket or WaitKind.Process or WaitKind.Pool or WaitKind.Pipe or WaitKind.Native)
                return WaitProgress.Outside;
            foreach (WaitFact fact in level.Shared.Concat(level.Own))
            {
                // Of a dump it is only known when a timer fires at the latest: a short one is soon in any case.
                if (fact.Key is WaitFactKey.DueIn or WaitFactKey.Length or WaitFactKey.Period && fact.Number <= Soon)
                    return WaitProgress.EndsSoon;
            }
        }
        return reason is null ? WaitProgress.Unknown : WaitProgress.Stands;
    }
}

/// <summary>Whether something that waits will go on.</summary>
internal enum WaitProgress
{
    /// <summary>It is not known what it waits for.</summary>
    Unknown,

    /// <summary>It executes, or is about to.</summary>
    Runs,

    /// <summary>A timer ends it within a second.</summary>
    EndsSoon,

    /// <summary>It waits for what is outside of the process: whether that moves, one look does not show.</summary>
    Outside,

    /// <summary>It waits for something in the process, or for a long time.</summary>
    Stands,
}
