using System.Runtime.InteropServices;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Stacks.Frames;

namespace Async2.Analysis.Stacks;

/// <summary>Keeps every stack as a row. Frames are made once for each shape.</summary>
/// <param name="expander">Makes the frames.</param>
/// <param name="idle">Knows idle loops.</param>
/// <param name="taskOf">Address of the task of a node that is an operation; 0 for other nodes.</param>
internal sealed class StackTableBuilder(FrameExpander expander, IdleStacks idle, Func<int, ulong> taskOf)
{
    private readonly RowList<StackRow> _rows = new();
    private readonly RowList<int> _nodes = new();
    private readonly Dictionary<int, int> _heldBy = [];
    private readonly List<StackShape> _shapes = [];
    private readonly Dictionary<StackFingerprint, int> _shapeIds = [];
    private readonly List<WaitingOn> _waits = [];
    private readonly Dictionary<WaitingOn, int> _waitIds = [];
    private readonly Dictionary<WaitingOn, int> _waitsByReference = new(ReferenceEqualityComparer.Instance);
    private readonly List<string?> _idleNames = [null];
    private readonly Dictionary<int, ulong> _tasks = [];
    private (WaitingOn? Wait, int Id) _lastWait = (null, -1);
    private (StackFingerprint Signature, int Id) _lastShape;

    /// <summary>Those that were added.</summary>
    public RowList<StackRow> Rows => _rows;

    /// <summary>Adds a stack of operations and threads.</summary>
    public void Add(StackDraft draft)
    {
        if (IsNew(draft.Shape, out int shape))
            _shapes.Add(expander.Expand(draft.Parts));
        int first = _nodes.Count;
        foreach (StackPart part in draft.Parts)
            _nodes.Add(part.Node);
        StackFlags flags = draft.Flags;
        if (draft.Task != 0 && draft.Task == taskOf(_nodes[_nodes.Count - 1]))
            flags |= StackFlags.IsTaskLast;
        else if (draft.Task != 0)
            _tasks[_rows.Count] = draft.Task;
        if (draft.HeldBy >= 0)
            _heldBy[_rows.Count] = draft.HeldBy;
        short idleName = NumberOf(idle.NameOf(draft, shape, _shapes[shape]));
        _rows.Add(new(draft.WaitAddress, shape, first, WaitId(draft.WaitingOn), idleName, draft.State, flags));
    }

    /// <summary>Adds a stack of tasks without an async method.</summary>
    /// <param name="state">What they do.</param>
    /// <param name="shape">Their frames: an object each.</param>
    /// <param name="nodes">Their nodes.</param>
    /// <param name="wait">What the innermost waits for, with its address; null for nothing.</param>
    /// <param name="task">Address of the outermost.</param>
    public void AddTasks(StackState state, StackShape shape, IReadOnlyList<int> nodes, WaitingOn? wait, ulong task)
    {
        var signature = new StackSignature();
        signature.Add(int.MinValue);
        foreach (int place in shape.Places)
            signature.Add(place);
        if (IsNew(signature.Value, out int id))
            _shapes.Add(shape);
        _tasks[_rows.Count] = task;
        _rows.Add(new(0, id, _nodes.Count, WaitId(wait, keepsAddress: true), 0, state, StackFlags.IsTask));
        foreach (int node in nodes)
            _nodes.Add(node);
    }

    /// <summary>All of them.</summary>
    public StackTable Build() => new() { Rows = _rows, Shapes = _shapes, Nodes = _nodes, Waits = _waits, Idle = _idleNames, HeldBy = _heldBy, Tasks = _tasks };

    // The caller adds the shape if it is new. Most stacks are equal to the stack before.
    private bool IsNew(StackFingerprint signature, out int shape)
    {
        if (_lastShape.Signature == signature && _shapes.Count > 0)
        {
            shape = _lastShape.Id;
            return false;
        }
        ref int known = ref CollectionsMarshal.GetValueRefOrAddDefault(_shapeIds, signature, out bool isKnown);
        if (!isKnown)
            known = _shapes.Count;
        shape = known;
        _lastShape = (signature, shape);
        return !isKnown;
    }

    // A million stacks share a few descriptions, mostly the same object.
    private int WaitId(WaitingOn? wait, bool keepsAddress = false)
    {
        if (wait is null)
            return -1;
        if (ReferenceEquals(wait, _lastWait.Wait))
            return _lastWait.Id;
        if (!_waitsByReference.TryGetValue(wait, out int id))
        {
            WaitingOn words = keepsAddress ? wait : wait with { Address = null };
            if (!_waitIds.TryGetValue(words, out id))
            {
                _waitIds[words] = id = _waits.Count;
                _waits.Add(words);
            }
            _waitsByReference[wait] = id;
        }
        _lastWait = (wait, id);
        return id;
    }

    private short NumberOf(string? name)
    {
        if (name is null)
            return 0;
        int known = _idleNames.IndexOf(name);
        if (known < 0)
        {
            known = _idleNames.Count;
            _idleNames.Add(name);
        }
        return (short)known;
    }
}
