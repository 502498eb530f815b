using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;

namespace Async2.Analysis.Formatting;

/// <summary>Names operations by the method that will go on: the innermost of the user's in the operation's part of its stack.</summary>
internal sealed class PoolNames(AsyncModel model)
{
    /// <param name="operation">Its address.</param>
    /// <returns>Null if it is in no stack.</returns>
    public string? Of(ulong operation)
    {
        int node = Array.BinarySearch(model.Nodes.Addresses, 0, model.Nodes.Operations, operation);
        if (node < 0 || model.Graph.StackOf(node) is not (>= 0 and var stack))
            return null;
        (int start, int end) = model.Stacks.FramesOf(stack, node);
        return NameIn(model.Stacks.ShapeOf(stack).Places.AsSpan(start, end - start));
    }

    private string? NameIn(ReadOnlySpan<int> places)
    {
        LogicalFrame? any = null;
        foreach (int place in places)
        {
            FramePlace found = model.Places[place];
            if (found.Origin == FrameOrigin.User)
                return PlaceFormatter.Method(found.Frame);
            any ??= found.Origin == FrameOrigin.Framework ? found.Frame : null;
        }
        return any is null ? null : PlaceFormatter.Method(any);
    }
}
