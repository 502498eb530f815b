using Async2.Analysis.Layouts;
using Async2.Analysis.Targets;

namespace Async2.Analysis.Nodes.Heap;

/// <summary>Makes rows of the pending tasks and boxes that a walk over the heap found.</summary>
internal sealed class PendingRows(TargetMemory memory, MachineLayouts machines)
{
    private readonly MachineRows _boxes = new(memory, machines);
    private readonly List<NodeRow> _nodes = [];
    private readonly List<PromiseRow> _combinators = [];
    private readonly List<PromiseRow> _promises = [];
    private readonly List<(ulong Alias, ulong Node)> _aliases = [];

    public void Take(in PendingObject found)
    {
        switch (found.Kind)
        {
            case AsyncTypeKind.ThunkTask:
                _nodes.Add(NodeRow.Chain(found.Address, found.StateObject, found.Awaiter));
                break;
            case AsyncTypeKind.PooledBox when _boxes.Pooled(found.Address, found.MethodTable) is { } pooled:
                _nodes.Add(pooled);
                break;
            case AsyncTypeKind.StateMachineBox when _boxes.Machine(found.Address, found.MethodTable, found.Awaiter) is { } machine:
                _nodes.Add(machine);
                if (machine.Body != 0 && _boxes.IsIterator(found.Address, found.MethodTable))
                    _aliases.Add((machine.Body, found.Address));
                break;
            case AsyncTypeKind.AllCombinator or AsyncTypeKind.AnyCombinator:
                _combinators.Add(new(found.Address, found.Awaiter, found.Kind == AsyncTypeKind.AllCombinator));
                break;
            case AsyncTypeKind.Task:
                _promises.Add(new(found.Address, found.Awaiter, false));
                break;
        }
    }

    public HeapIndex ToIndex(RuntimeLayout layout, ContinuationColumns continuations, ulong[] resources, bool complete)
    {
        PromiseRow[] promises = _combinators.Count == 0 ? [] : [.. _promises];
        var index = new HeapIndex(layout, continuations, [.. _nodes], [.. _combinators], promises, complete) { Resources = resources };
        foreach ((ulong alias, ulong node) in _aliases)
            index.AddAlias(alias, node);
        return index;
    }
}
