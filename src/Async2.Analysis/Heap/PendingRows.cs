using System.Collections.Immutable;
using Async2.Analysis.Families.Contract;
using Async2.Analysis.Layouts;
using Async2.Analysis.Nodes;
using Async2.Analysis.Targets.Memory;

namespace Async2.Analysis.Heap;

/// <summary>Makes rows of the pending tasks and boxes that a walk over the heap found.</summary>
/// <param name="memory">Where they are.</param>
/// <param name="machines">Layouts of state machines.</param>
/// <param name="families">Know which of them stand for something else.</param>
/// <param name="count">How many there are at most.</param>
internal sealed class PendingRows(TargetMemory memory, StateMachineLayouts machines, ImmutableArray<IFamilyReader> families, int count)
{
    // So many objects before its turn the state machine of a box begins to be loaded; it is after the fields of a task.
    private const int Ahead = 8;
    private const ulong StateMachine = 64;

    private readonly StateMachineRows _boxes = new(memory, machines, families);
    private NodeRow[] _nodes = GC.AllocateUninitializedArray<NodeRow>(count);
    private readonly List<PromiseRow> _combinators = [];
    private readonly List<PromiseRow> _promises = [];
    private readonly List<(ulong Alias, ulong Node)> _aliases = [];
    private int _nodeCount;

    /// <summary>Objects that own chains, with the innermost frame in place of the state.</summary>
    public List<PendingObject> Owners { get; } = [];

    public void Take(ReadOnlySpan<PendingObject> found)
    {
        for (int i = 0; i < found.Length; i++)
        {
            if (i + Ahead < found.Length)
                memory.Prefetch(found[i + Ahead].Address + StateMachine);
            Take(found[i]);
        }
    }

    private void Take(in PendingObject found)
    {
        switch (found.Kind)
        {
            case AsyncTypeKind.ChainTask:
                _nodes[_nodeCount++] = NodeRow.Chain(found.Address, found.MethodTable, found.StateObject, found.Awaiter);
                break;
            case AsyncTypeKind.PooledBox when _boxes.Pooled(found.Address, found.MethodTable) is { } pooled:
                _nodes[_nodeCount++] = pooled;
                break;
            case AsyncTypeKind.CustomBox when _boxes.Custom(found.Address, found.MethodTable) is { } custom:
                _nodes[_nodeCount++] = custom;
                break;
            case AsyncTypeKind.StateMachineBox when _boxes.Machine(found.Address, found.MethodTable, found.Awaiter) is { } machine:
                _nodes[_nodeCount++] = machine;
                if (machine.Body != 0 && _boxes.IsIterator(found.Address, found.MethodTable))
                    _aliases.Add((machine.Body, found.Address));
                break;
            case AsyncTypeKind.ChainOwner:
                Owners.Add(found);
                break;
            case AsyncTypeKind.AllCombinator or AsyncTypeKind.AnyCombinator:
                _combinators.Add(new(found.Address, found.Awaiter, found.Kind == AsyncTypeKind.AllCombinator));
                break;
            case AsyncTypeKind.Task:
                _promises.Add(new(found.Address, found.Awaiter, false));
                break;
        }
    }

    /// <summary>Gives chains that have an owner the task that it completes, whose state machine has no frame of its own.</summary>
    public void Join(IReadOnlyList<OwnedChain> chains)
    {
        var byOwner = new Dictionary<ulong, int>();
        for (int i = 0; i < chains.Count; i++)
        {
            if (chains[i].Owner != 0)
                byOwner[chains[i].Owner] = i;
        }
        var joined = new bool[chains.Count];
        for (int i = 0; i < _nodeCount && byOwner.Count > 0; i++)
        {
            ref NodeRow row = ref _nodes[i];
            if (row.Kind != NodeKind.Machine || !byOwner.TryGetValue(_boxes.ThisOf(row), out int chain) || joined[chain])
                continue;
            joined[chain] = true;
            row = NodeRow.Owned(row.Address, chains[chain], row.Awaiter);
            _aliases.Add((chains[chain].Owner, row.Address));
        }
        for (int i = 0; i < chains.Count; i++)
        {
            if (!joined[i])
                Add(NodeRow.Owned(chains[i].Owner != 0 ? chains[i].Owner : chains[i].Outermost, chains[i], awaiter: 0));
        }
    }

    private void Add(in NodeRow row)
    {
        if (_nodeCount == _nodes.Length)
            Array.Resize(ref _nodes, Math.Max(16, _nodes.Length * 2));
        _nodes[_nodeCount++] = row;
    }

    public HeapIndex ToIndex(RuntimeLayout layout, FrameColumns continuations, ulong[] resources, ulong[] capturing, TaskRow[] tasks, bool complete)
    {
        NodeRow[] nodes = _nodeCount == _nodes.Length ? _nodes : _nodes[.._nodeCount];
        var index = new HeapIndex(layout, continuations, nodes, [.. _combinators], _promises, complete) { Resources = resources, Capturing = capturing, Tasks = tasks };
        foreach ((ulong alias, ulong node) in _aliases)
            index.AddAlias(alias, node);
        return index;
    }
}
