using Async2.Analysis.Layouts;
using Async2.Analysis.Nodes.Waits;
using Async2.Analysis.Targets;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Nodes;

/// <summary>Takes the async objects out of a walk over the heap, one row each, and forgets all others.</summary>
/// <param name="target">Where the objects are.</param>
/// <param name="machines">Layouts of state machines.</param>
/// <param name="incomplete">Told a problem's code, text and address when something that should be a row is none.</param>
internal sealed class AsyncObjects(Target target, MachineLayouts machines, Action<string, string, ulong?> incomplete)
{
    private readonly TargetMemory _memory = target.Memory;
    private readonly MachineRows _boxes = new(target.Memory, machines);
    private readonly Dictionary<ulong, AsyncTypeKind> _kinds = [];
    private readonly List<ContinuationRow> _continuations = [];
    private readonly List<NodeRow> _nodes = [];
    private readonly List<PromiseRow> _combinators = [];
    private readonly List<PromiseRow> _promises = [];
    private readonly List<(ulong Alias, ulong Node)> _aliases = [];
    private readonly List<ulong> _resources = [];
    private readonly HashSet<ulong> _resourceTypes = [];
    private readonly byte[] _buffer = new byte[4096];
    private ContinuationLayout? _continuation;
    private TaskLayout? _task;

    /// <summary>Objects whose type has no name.</summary>
    public long Nameless { get; private set; }

    public void Take(ulong address, ClrType type)
    {
        if (!_kinds.TryGetValue(type.MethodTable, out AsyncTypeKind kind))
            _kinds[type.MethodTable] = kind = Meet(type);
        switch (kind)
        {
            case AsyncTypeKind.Other:
                if (_resourceTypes.Contains(type.MethodTable))
                    _resources.Add(address);
                break;
            case AsyncTypeKind.Nameless:
                Nameless++;
                break;
            case AsyncTypeKind.Continuation:
                TakeContinuation(address);
                break;
            case AsyncTypeKind.PooledBox:
                if (_boxes.Pooled(address, type.MethodTable) is { } pooled)
                    _nodes.Add(pooled);
                break;
            default:
                TakeTask(address, type.MethodTable, kind);
                break;
        }
    }

    public HeapIndex ToIndex(bool complete)
    {
        PromiseRow[] promises = _combinators.Count == 0 ? [] : [.. _promises];
        var index = new HeapIndex(new(_task, _continuation), [.. _continuations], [.. _nodes], [.. _combinators], promises, complete) { Resources = _resources };
        foreach ((ulong alias, ulong node) in _aliases)
            index.AddAlias(alias, node);
        return index;
    }

    // The first object of a family shows its layout.
    private AsyncTypeKind Meet(ClrType type)
    {
        AsyncTypeKind kind = AsyncTypes.Classify(type);
        int pointerSize = _memory.PointerSize;
        if (kind == AsyncTypeKind.Continuation)
            _continuation ??= ContinuationLayout.Of(type, pointerSize) ?? Misshapen<ContinuationLayout>(type);
        else if (kind is not (AsyncTypeKind.Other or AsyncTypeKind.Nameless or AsyncTypeKind.PooledBox))
            _task ??= TaskLayout.Of(type, pointerSize) ?? Misshapen<TaskLayout>(type);
        else if (kind == AsyncTypeKind.Other && WaitResources.IsResource(type, pointerSize))
            _resourceTypes.Add(type.MethodTable);
        return kind;
    }

    private TLayout? Misshapen<TLayout>(ClrType type)
        where TLayout : class
    {
        incomplete(ProblemCodes.UnknownLayout, $"{type.Name} is not shaped as in any runtime that this version knows: its objects are not read", null);
        return null;
    }

    private void TakeContinuation(ulong address)
    {
        if (_continuation is not { } fields)
            return;
        Span<byte> bytes = _buffer.AsSpan(0, fields.Size);
        if (_memory.TryRead(address, bytes))
            _continuations.Add(new(address, fields.Next(bytes), fields.Resume(bytes), fields.Data(bytes), fields.GCData(bytes), fields.State(bytes)));
        else
            Unreadable(address, "continuation");
    }

    private void TakeTask(ulong address, ulong methodTable, AsyncTypeKind kind)
    {
        if (_task is not { } fields)
            return;
        if (!_memory.TryReadUInt32(address + (ulong)fields.StateFlags, out uint state)
            || !_memory.TryReadPointer(address + (ulong)fields.ContinuationObject, out ulong awaiter)
            || !_memory.TryReadPointer(address + (ulong)fields.StateObject, out ulong stateObject))
            Unreadable(address, "task");
        else if (!TaskLayout.IsCompleted(state))
            TakePending(address, methodTable, kind, stateObject, awaiter);
    }

    private void TakePending(ulong address, ulong methodTable, AsyncTypeKind kind, ulong stateObject, ulong awaiter)
    {
        switch (kind)
        {
            case AsyncTypeKind.ThunkTask:
                _nodes.Add(NodeRow.Chain(address, stateObject, awaiter));
                break;
            case AsyncTypeKind.StateMachineBox when _boxes.Machine(address, methodTable, awaiter) is { } machine:
                _nodes.Add(machine);
                if (machine.Body != 0 && _boxes.IsIterator(address, methodTable))
                    _aliases.Add((machine.Body, address));
                break;
            case AsyncTypeKind.AllCombinator or AsyncTypeKind.AnyCombinator:
                _combinators.Add(new(address, awaiter, kind == AsyncTypeKind.AllCombinator));
                break;
            case AsyncTypeKind.Task when awaiter != 0:
                _promises.Add(new(address, awaiter, false));
                break;
        }
    }

    private void Unreadable(ulong address, string what)
        => incomplete(ProblemCodes.UnreadableMemory, $"a {what} lies in memory that could not be read", address);
}
