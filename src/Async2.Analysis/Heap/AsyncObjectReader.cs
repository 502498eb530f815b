using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using Async2.Analysis.Layouts;
using Async2.Analysis.Nodes;
using Async2.Analysis.Targets.Memory;

namespace Async2.Analysis.Heap;

/// <summary>Takes the fields of async objects out of the bytes of a heap, one row each. One for each thread.</summary>
/// <param name="types">Knows where the fields are.</param>
/// <param name="sites">Numbers the places where continuations stand.</param>
internal sealed class AsyncObjectReader(HeapTypeReader types, SiteTable sites)
{
    private readonly SiteCache _sites = new(sites);
    private Column<ulong> _continuations = new();
    private LinkColumn _links = new();
    private Column<int> _siteIds = new();
    private Column<ulong> _capturing = new();
    private Column<PendingObject> _pending = new();
    private Column<TaskRow> _tasks = new();
    private Column<ulong> _resources = new();
    private Column<ulong> _cut = new();
    private Column<TimerStamp> _timers = new();
    private long _nameless, _localValues;

    /// <summary>Which tasks to keep besides those that matter.</summary>
    public KeptTasks Kept { get; init; } = KeptTasks.None;

    /// <param name="address">An object that is not plain.</param>
    /// <param name="bytes">Its bytes, and perhaps those behind it.</param>
    /// <param name="type">Its type.</param>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public void Take(ulong address, ReadOnlySpan<byte> bytes, in HeapType type)
    {
        switch (type.Kind)
        {
            case AsyncTypeKind.Continuation:
                TakeContinuation(address, bytes);
                break;
            case AsyncTypeKind.Other:
                _resources.Add(address);
                break;
            case AsyncTypeKind.Nameless:
                _nameless++;
                break;
            case AsyncTypeKind.ChainOwner:
                TakeOwner(address, bytes, type);
                break;
            case AsyncTypeKind.Timer:
                if (types.Timer is { } timer && bytes.Length >= timer.Size && timer.Read(address, bytes) is { } stamp)
                    _timers.Add(stamp);
                break;
            case AsyncTypeKind.LocalValues:
                _localValues++;
                break;
            case AsyncTypeKind.PooledBox or AsyncTypeKind.CustomBox:
                _pending.Add(new(address, type.MethodTable, 0, 0, type.Kind));
                break;
            default:
                TakeTask(address, bytes, type);
                break;
        }
    }

    /// <summary>What was taken since the last time.</summary>
    public SegmentRows Finish()
    {
        (ColumnPart<int>[] links, ColumnPart<ulong>[] far) = _links.Take();
        var rows = new SegmentRows
        {
            Continuations = _continuations.Take(),
            Links = links,
            Far = far,
            Sites = _siteIds.Take(),
            Capturing = _capturing.Take(),
            Pending = _pending.Take(),
            Tasks = _tasks.Take(),
            Resources = _resources.Take(),
            Cut = _cut.Take(),
            Timers = _timers.Take(),
            Nameless = _nameless,
            LocalValues = _localValues,
        };
        (_nameless, _localValues) = (0, 0);
        return rows;
    }

    private void TakeContinuation(ulong address, ReadOnlySpan<byte> bytes)
    {
        if (types.Continuation is not { } fields)
            return;
        if (bytes.Length < fields.Size)
        {
            _cut.Add(address);
            return;
        }
        _continuations.Add(address);
        _links.Add(address, fields.Next(bytes));
        if (fields.IsOnCapturedPlace(bytes))
            _capturing.Add(address);
        _siteIds.Add(fields.IsBlank(bytes) ? SiteTable.Blank : _sites.IdOf(fields.SiteIn(bytes)));
    }

    private void TakeOwner(ulong address, ReadOnlySpan<byte> bytes, in HeapType type)
    {
        if (types.ChainOwner is not { } fields)
            return;
        if (bytes.Length < fields.Size)
        {
            _cut.Add(address);
            return;
        }
        ulong chain = TargetMemory.PointerIn(bytes[fields.Chain..], types.PointerSize);
        // One without a chain has not been suspended yet, runs its outermost method, or has completed.
        if (chain != 0)
            _pending.Add(new(address, type.MethodTable, chain, TargetMemory.PointerIn(bytes[fields.Awaiter..], types.PointerSize), type.Kind));
    }

    private void TakeTask(ulong address, ReadOnlySpan<byte> bytes, in HeapType type)
    {
        if (types.Task is not { } fields)
            return;
        if (bytes.Length < fields.Size)
        {
            _cut.Add(address);
            return;
        }
        bool isCompleted = TaskLayout.IsCompleted(BinaryPrimitives.ReadUInt32LittleEndian(bytes[fields.StateFlags..]));
        if (isCompleted && !Kept.HasCompleted)
            return;
        ulong awaiter = fields.Pointer(bytes[fields.ContinuationObject..]);
        if (Kept != KeptTasks.None && Kept.Takes(type.Kind is AsyncTypeKind.ChainTask or AsyncTypeKind.StateMachineBox, awaiter != 0, isCompleted))
            _tasks.Add(new(address, type.MethodTable, awaiter, isCompleted, type.Kind == AsyncTypeKind.StateMachineBox));
        if (isCompleted)
            return;
        // A plain task matters only if it has waiters.
        if (awaiter != 0 || type.Kind != AsyncTypeKind.Task)
            _pending.Add(new(address, type.MethodTable, fields.Pointer(bytes[fields.StateObject..]), awaiter, type.Kind));
    }
}

/// <summary>What a walk over one segment of the heap found.</summary>
internal sealed record SegmentRows : FrameRows
{
    /// <summary>Addresses of those that saved a context or scheduler to go on there.</summary>
    public ColumnPart<ulong>[] Capturing { get; init; } = [];

    public ColumnPart<PendingObject>[] Pending { get; init; } = [];

    /// <summary>Tasks that are kept because somebody asked for them.</summary>
    public ColumnPart<TaskRow>[] Tasks { get; init; } = [];

    /// <summary>Objects that are waited for without being pointed to.</summary>
    public ColumnPart<ulong>[] Resources { get; init; } = [];

    /// <summary>Async objects that do not lie in the target's memory as a whole.</summary>
    public ColumnPart<ulong>[] Cut { get; init; } = [];

    /// <summary>Timers that are set and fire once.</summary>
    public ColumnPart<TimerStamp>[] Timers { get; init; } = [];

    /// <summary>Objects of any kind.</summary>
    public long Objects { get; init; }

    /// <summary>Objects whose type has no name.</summary>
    public long Nameless { get; init; }

    /// <summary>Values of execution contexts.</summary>
    public long LocalValues { get; init; }

    /// <summary>Where it ended: the segment's end, or the first object that is invalid.</summary>
    public ulong End { get; init; }

    /// <summary>What was not walked, each from an object that is invalid.</summary>
    public IReadOnlyList<HeapRange> Broken { get; init; } = [];
}
