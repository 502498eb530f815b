using Async2.Analysis.Model;
using Async2.Analysis.Stacks.Frames;
using Async2.Analysis.Stacks;

namespace Async2.Analysis.Snapshots;

/// <summary>
/// The order of stacks in a snapshot: idle loops last, biggest first, then by what is shown of them, so that it does not depend on where the heap
/// put things. Only stacks that look the same are left in the order in which they were found.
/// </summary>
internal sealed class StackOrder(Coalescer stacks, FrameTable table)
{
    public int Compare(StackGroup a, StackGroup b)
    {
        int byLooks = CompareLooks(a, b);
        if (byLooks != 0 || ReferenceEquals(a, b))
            return byLooks;
        // Equal but for what they wait for: one step is enough to tell them apart, and cannot run in a circle.
        int byAwaited = CompareAwaited(a, b);
        return byAwaited != 0 ? byAwaited : a.Order.CompareTo(b.Order);
    }

    private int CompareAwaited(StackGroup a, StackGroup b)
    {
        StackGroup? first = AwaitedBy(a), second = AwaitedBy(b);
        return first is null || second is null ? (first is not null).CompareTo(second is not null) : CompareLooks(first, second);
    }

    private StackGroup? AwaitedBy(StackGroup group) => group.WaitsForNode < 0 ? null : stacks.GroupOf(group.WaitsForNode);

    private int CompareLooks(StackGroup a, StackGroup b)
    {
        int byIdle = (a.Idle is not null).CompareTo(b.Idle is not null);
        int byCount = byIdle != 0 ? byIdle : b.Count.CompareTo(a.Count);
        int byFrames = byCount != 0 ? byCount : CompareFrames(a, b);
        int byState = byFrames != 0 ? byFrames : a.State.CompareTo(b.State);
        return byState != 0 ? byState : string.CompareOrdinal(a.WaitingOn?.Text, b.WaitingOn?.Text);
    }

    private int CompareFrames(StackGroup a, StackGroup b)
    {
        if (a.Key.Frames == b.Key.Frames)
            return 0;
        for (int i = 0; i < a.Frames.Length && i < b.Frames.Length; i++)
        {
            FrameEntry first = table[a.Frames[i].Id], second = table[b.Frames[i].Id];
            int byFrame = first.Canonical == second.Canonical ? 0 : FrameOrder.Compare(first.Frame, second.Frame);
            if (byFrame != 0)
                return byFrame;
        }
        return a.Frames.Length.CompareTo(b.Frames.Length);
    }
}
