using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;

namespace Async2.Analysis.Query.Answers;

/// <summary>
/// The order of stacks in an answer: idle loops last, before them tasks without an async method; biggest first, then by visible content, so that the order does not depend on heap
/// addresses. Only equal stacks keep the order of discovery.
/// </summary>
internal sealed class StackOrder(AsyncModel model, StackGrouper stacks, bool includeFramework)
{
    public int Compare(StackGroup a, StackGroup b)
    {
        int byContent = CompareContent(a, b);
        if (byContent != 0 || ReferenceEquals(a, b))
            return byContent;
        // Equal except for what they wait for: one step distinguishes them, and cannot loop.
        int byAwaited = CompareAwaited(a, b);
        return byAwaited != 0 ? byAwaited : a.Order.CompareTo(b.Order);
    }

    private int CompareAwaited(StackGroup a, StackGroup b)
    {
        StackGroup? first = AwaitedBy(a), second = AwaitedBy(b);
        return first is null || second is null ? (first is not null).CompareTo(second is not null) : CompareContent(first, second);
    }

    private StackGroup? AwaitedBy(StackGroup group)
        => model.WaitsForNode(group.First) is >= 0 and var node ? stacks.GroupOf(node) : null;

    private int CompareContent(StackGroup a, StackGroup b)
    {
        int byPlain = Rank(a).CompareTo(Rank(b));
        int byCount = byPlain != 0 ? byPlain : b.Members.Count.CompareTo(a.Members.Count);
        // Pending tasks are more informative.
        int byTask = byCount != 0 || !a.Key.IsTask ? byCount : a.Key.State.CompareTo(b.Key.State);
        int byFrames = byTask != 0 ? byTask : CompareFrames(a, b);
        int byState = byFrames != 0 ? byFrames : a.Key.State.CompareTo(b.Key.State);
        int byWait = byState != 0 ? byState : string.CompareOrdinal(model.Stacks.WaitOf(a.First)?.Text, model.Stacks.WaitOf(b.First)?.Text);
        return byWait != 0 ? byWait : string.CompareOrdinal(model.ResourceOf(a.First)?.Name, model.ResourceOf(b.First)?.Name);
    }

    private static int Rank(StackGroup group) => group.Key.Idle != 0 ? 2 : group.Key.IsTask ? 1 : 0;

    private int CompareFrames(StackGroup a, StackGroup b)
    {
        if (a.Key.Frames == b.Key.Frames)
            return 0;
        StackShape one = model.Stacks.ShapeOf(a.First), other = model.Stacks.ShapeOf(b.First);
        var first = new ShownFrames(one, model.Places, includeFramework);
        var second = new ShownFrames(other, model.Places, includeFramework);
        while (true)
        {
            bool hasFirst = first.MoveNext(), hasSecond = second.MoveNext();
            if (!hasFirst || !hasSecond)
                return hasFirst.CompareTo(hasSecond);
            FramePlace placeA = model.Places[one.Places[first.Current]], placeB = model.Places[other.Places[second.Current]];
            int byFrame = placeA.Same == placeB.Same ? 0 : FrameOrder.Compare(placeA.Frame, placeB.Frame);
            if (byFrame != 0)
                return byFrame;
        }
    }
}
