using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Nodes;
using Async2.Analysis.Targets;

namespace Async2.Analysis.Waits.Operations;

/// <summary>
/// Who iterates over <c>Task.WhenEach</c> waits for the next of several tasks to be done. What they have as their continuation is not a task itself, so the walk over the heap does not
/// take it for a combinator.
/// </summary>
internal static class WhenEachStates
{
    /// <summary>The index with them as combinators that any of their tasks ends.</summary>
    public static HeapIndex Join(Target target, HeapIndex index)
    {
        var layouts = new LayoutCache<ValueTaskSourceLayout>(target.Runtime, (type, pointerSize) => type.Name == AsyncTypes.WhenEach ? ValueTaskSourceLayout.InField(type, "_waitForNextCompletedTask", pointerSize) : null);
        var found = new List<PromiseRow>();
        foreach (ulong address in index.Resources)
        {
            var state = new HeapObject(target.Memory, address);
            if (layouts.Of(state) is { } core && state.Byte(core.Completed) == 0 && state.Reference(core.State) is not 0 and var waiter)
                found.Add(new(address, waiter, NeedsAll: false));
        }
        return found.Count == 0 ? index : index.WithCombinators(found);
    }
}
