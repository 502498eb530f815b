using System.Buffers.Binary;
using Async2.Analysis.Layouts;
using Async2.Analysis.Targets;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Nodes;

/// <summary>One pass over the heap that fills the <see cref="HeapIndex"/>.</summary>
internal sealed class HeapWalk(Target target, RuntimeLayout layout, ProblemLog problems)
{
    private const int CancellationInterval = 0xffff;

    private readonly Dictionary<ulong, AsyncTypeKind> _kinds = [];
    private readonly List<ContinuationRow> _continuations = [];
    private readonly List<ThunkTaskRow> _tasks = [];
    private readonly byte[] _buffer = new byte[4096];
    private long _stateMachines;
    private long _objects;
    private bool _complete = true;

    /// <summary>Walks all segments; a cancelled walk returns what it has, marked incomplete.</summary>
    public HeapIndex Run(Action<double> progress, CancellationToken cancellation)
    {
        ClrHeap heap = target.Runtime.Heap;
        ulong total = Math.Max(1, heap.Segments.Aggregate(0ul, (sum, s) => sum + s.Length));
        ulong done = 0;
        if (!heap.CanWalkHeap)
            Incomplete(ProblemCodes.HeapIncomplete, "a garbage collection was under way, so the heap could not be walked reliably: try again, or with another dump");
        foreach (ClrSegment segment in heap.Segments)
        {
            if (!WalkSegment(segment, cancellation))
                break;
            done += segment.Length;
            progress((double)done / total);
        }
        if (_objects == 0)
            Incomplete(ProblemCodes.DumpIncomplete, "the dump holds no heap (a mini or triage dump?), so no stack can be found: write a full one with dotnet-async2 dump collect PID");
        return new HeapIndex([.. _continuations], [.. _tasks], _stateMachines, _complete);
    }

    private bool WalkSegment(ClrSegment segment, CancellationToken cancellation)
    {
        // ClrMD takes 0 for "no more objects" and then for the next address, forever, in a segment that begins there.
        if (segment.Start == 0 && segment.Length > 0)
        {
            Incomplete(ProblemCodes.HeapIncomplete, "a segment of the heap says that it begins at address 0: its description is damaged");
            return true;
        }
        ulong last = 0;
        foreach (ClrObject item in segment.EnumerateObjects(carefully: true))
        {
            last = item.Address;
            if ((++_objects & CancellationInterval) == 0 && cancellation.IsCancellationRequested)
            {
                _complete = false;
                return false;
            }
            if (item.Type is { } type)
                Take(item.Address, type);
            else
                Incomplete(ProblemCodes.HeapIncomplete, "the type of an object could not be read: the heap is skipped from here to the next object", item.Address);
        }
        CheckReachedEnd(segment, last);
        return true;
    }

    private void Take(ulong address, ClrType type)
    {
        if (!_kinds.TryGetValue(type.MethodTable, out AsyncTypeKind kind))
            _kinds[type.MethodTable] = kind = AsyncTypes.Classify(type);
        switch (kind)
        {
            case AsyncTypeKind.Continuation when layout.Continuation is { } continuation:
                TakeContinuation(address, continuation);
                break;
            case AsyncTypeKind.ThunkTask when layout.Task is { } task:
                TakeTask(address, task);
                break;
            case AsyncTypeKind.StateMachineBox when layout.Task is { } task && IsPending(address, task):
                _stateMachines++;
                break;
        }
    }

    private void TakeContinuation(ulong address, ContinuationLayout fields)
    {
        Span<byte> bytes = _buffer.AsSpan(0, fields.Size);
        if (target.Memory.TryRead(address, bytes))
            _continuations.Add(new(address, fields.Next(bytes), fields.Resume(bytes), fields.Data(bytes), fields.GCData(bytes), fields.State(bytes)));
        else
            Unreadable(address, "continuation");
    }

    private void TakeTask(ulong address, TaskLayout fields)
    {
        TargetMemory memory = target.Memory;
        if (!memory.TryReadUInt32(address + (ulong)fields.StateFlags, out uint state)
            || !memory.TryReadPointer(address + (ulong)fields.StateObject, out ulong head)
            || !memory.TryReadPointer(address + (ulong)fields.ContinuationObject, out ulong awaiter))
            Unreadable(address, "task");
        else if (!TaskLayout.IsCompleted(state))
            _tasks.Add(new(address, head, awaiter));
    }

    private bool IsPending(ulong address, TaskLayout fields)
    {
        Span<byte> state = _buffer.AsSpan(0, sizeof(uint));
        return target.Memory.TryRead(address + (ulong)fields.StateFlags, state)
            && !TaskLayout.IsCompleted(BinaryPrimitives.ReadUInt32LittleEndian(state));
    }

    // A segment ends with objects, or with the part of an allocation context that nothing was allocated in yet.
    private void CheckReachedEnd(ClrSegment segment, ulong last)
    {
        if (segment.Length == 0)
            return;
        ulong end = last == 0 ? segment.Start : last + SizeOf(target.Runtime.Heap.GetObject(last));
        const ulong slack = 0x10000;
        if (end + slack < segment.End && _objects > 0)
            Incomplete(ProblemCodes.HeapIncomplete, "a part of the heap could not be walked, from here to the end of its segment", end);
    }

    // The size of an object whose type is unknown cannot be asked for.
    private static ulong SizeOf(ClrObject item) => item.IsValid ? item.Size : 0;

    private void Unreadable(ulong address, string what)
    {
        _complete = false;
        problems.Add(ProblemCodes.UnreadableMemory, $"a {what} lies in memory that could not be read", address);
    }

    private void Incomplete(string code, string text, ulong? address = null)
    {
        _complete = false;
        problems.Add(code, text, address);
    }
}
