using System.Buffers.Binary;
using Async2.Analysis.Layouts;
using Async2.Analysis.Targets;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Nodes;

/// <summary>One pass over the heap that fills the <see cref="HeapIndex"/>.</summary>
internal sealed class HeapWalk(Target target, ProblemLog problems)
{
    private const int CancellationInterval = 0xffff;
    private const int NamelessShare = 100;

    private readonly Dictionary<ulong, AsyncTypeKind> _kinds = [];
    private readonly List<ContinuationRow> _continuations = [];
    private readonly List<ThunkTaskRow> _tasks = [];
    private readonly byte[] _buffer = new byte[4096];
    private ContinuationLayout? _continuation;
    private TaskLayout? _task;
    private long _stateMachines;
    private long _objects;
    private long _nameless;
    private ulong _unwalked;
    private HashSet<ulong>? _contexts;
    private ulong? _untyped;
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
        if (!cancellation.IsCancellationRequested)
            CheckWalked(total);
        return new HeapIndex(new(_task, _continuation), [.. _continuations], [.. _tasks], _stateMachines, _complete);
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
                _untyped ??= item.Address;
        }
        CheckReachedEnd(segment, last);
        return true;
    }

    private void Take(ulong address, ClrType type)
    {
        if (!_kinds.TryGetValue(type.MethodTable, out AsyncTypeKind kind))
            _kinds[type.MethodTable] = kind = Meet(type);
        switch (kind)
        {
            case AsyncTypeKind.Nameless:
                _nameless++;
                break;
            case AsyncTypeKind.Continuation when _continuation is not null:
                TakeContinuation(address, _continuation);
                break;
            case AsyncTypeKind.ThunkTask when _task is not null:
                TakeTask(address, _task);
                break;
            case AsyncTypeKind.StateMachineBox when _task is not null && IsPending(address, _task):
                _stateMachines++;
                break;
        }
    }

    // The first object of a family shows its layout.
    private AsyncTypeKind Meet(ClrType type)
    {
        AsyncTypeKind kind = AsyncTypes.Classify(type);
        int pointerSize = target.Memory.PointerSize;
        if (kind == AsyncTypeKind.Continuation)
            _continuation ??= ContinuationLayout.Of(type, pointerSize) ?? Misshapen<ContinuationLayout>(type);
        else if (kind is AsyncTypeKind.ThunkTask or AsyncTypeKind.StateMachineBox)
            _task ??= TaskLayout.Of(type, pointerSize) ?? Misshapen<TaskLayout>(type);
        return kind;
    }

    private TLayout? Misshapen<TLayout>(ClrType type)
        where TLayout : class
    {
        Incomplete(ProblemCodes.UnknownLayout, $"{type.Name} is not shaped as in any runtime that this version knows: its objects are not read");
        return null;
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

    // A segment ends with an object, or with the part of an allocation context that nothing was allocated in yet. An object that
    // reaches beyond the end has a wrong length, and what it seems to cover are really others.
    private void CheckReachedEnd(ClrSegment segment, ulong last)
    {
        ulong size = last == 0 ? 0 : Aligned(SizeOf(target.Runtime.Heap.GetObject(last)));
        ulong start = last == 0 ? segment.Start : last;
        bool fits = size <= segment.End - start;
        ulong end = fits ? start + size : start;
        if (end < segment.End && !(fits && IsAllocationContext(end)))
            _unwalked += segment.End - end;
    }

    private bool IsAllocationContext(ulong address)
    {
        _contexts ??= [.. target.Runtime.Heap.EnumerateAllocationContexts().Select(context => context.Start)];
        return _contexts.Contains(address);
    }

    // coreclr's DATA_ALIGNMENT: objects begin at multiples of 8.
    private static ulong Aligned(ulong size) => (size + 7) & ~7ul;

    private void CheckWalked(ulong total)
    {
        const string cure = "write a full dump with dotnet-async2 dump collect PID";
        string lacking = target.Origin.IsDump ? $"; the dump lacks memory that is needed (made by gcore, or with a coredump_filter?): {cure}" : "";
        if (_objects == 0)
            Incomplete(ProblemCodes.DumpIncomplete, $"the target holds no heap (a mini or triage dump?), so no stack can be found: {cure}");
        else if (_unwalked > 0)
            Incomplete(ProblemCodes.HeapIncomplete, FormattableString.Invariant($"{_unwalked:N0} of {total:N0} bytes of the heap could not be walked, and stacks in them are missing{lacking}"));
        if (_untyped is { } first)
            Incomplete(ProblemCodes.HeapIncomplete, $"the type of an object (perhaps of more) could not be read: the heap is skipped from there to the next object{lacking}", first);
        // Types made at run time may have no name for honest reasons; they are few.
        if (_nameless > _objects / NamelessShare)
            Incomplete(ProblemCodes.HeapIncomplete, FormattableString.Invariant($"the types of {_nameless:N0} of {_objects:N0} objects have no name, so async objects may be among them unseen{lacking}"));
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
