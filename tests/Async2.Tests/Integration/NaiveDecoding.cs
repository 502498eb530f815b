using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Descriptions;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Query;
using Async2.Analysis.Targets;

namespace Async2.Tests.Integration;

/// <summary>
/// What the obvious method would give: state k is the k-th await in IL. Kept beside the real figures to show what decoding the
/// native code is for.
/// </summary>
internal static class NaiveDecoding
{
    /// <summary>Frames of user code whose await the obvious method would have found.</summary>
    public static int CountRight(Target target, StackView snapshot)
    {
        int right = 0;
        foreach (LogicalFrame frame in snapshot.Stacks.SelectMany(s => s.Frames).Where(TruthComparison.IsUser))
        {
            if (frame is { Kind: FrameKind.Continuation, Address: { } address } && StateOf(target, address) + 1 == frame.AwaitNumber)
                right++;
        }
        return right;
    }

    private static uint StateOf(Target target, ulong address)
    {
        ContinuationLayout layout = ContinuationLayout.Of(target.Runtime.Heap.GetObjectType(address)!, LayoutFacts.None, target.Memory.PointerSize)!;
        byte[] bytes = new byte[layout.Size];
        Assert.True(target.Memory.TryRead(address, bytes));
        return layout.SiteIn(bytes).State;
    }
}
