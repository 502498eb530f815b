using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics.X86;
using Async2.Analysis.Layouts;
using Async2.Analysis.Targets;

namespace Async2.Analysis.Reachability;

/// <summary>What one thread of a <see cref="HeapMarker"/> does.</summary>
/// <param name="marker">What it works for.</param>
internal sealed unsafe class MarkWorker(HeapMarker marker)
{
    // So many objects are on their way from memory while others are looked at; a power of two.
    private const int Ahead = 16;

    // So many objects are followed before it looks whether somebody has nothing to do.
    private const int Round = 1024;

    private readonly MarkTable _table = marker.Heap.Table;
    private readonly ShapeCache _shapes = new(marker.Shapes);
    // Made by the thread that works.
    private readonly WorkLimit? _limit = marker.NewLimit();
    private readonly PinnedArray<MarkItem> _coming = new(Ahead);
    private readonly List<ulong> _released = [];
    private readonly List<ulong> _reached = [];

    /// <summary>What is to be followed.</summary>
    public MarkStack Stack = new();

    /// <summary>Follows all that is on the stack; stops before if it is to.</summary>
    public void Run()
    {
        MarkItem* coming = _coming.First;
        int empty = 0, round = 0;
        for (uint at = 0; empty <= Ahead; at = (at + 1) & (Ahead - 1))
        {
            MarkItem item = coming[at];
            if (item.Room == 0)
            {
                empty++;
            }
            else
            {
                empty = 0;
                Scan(item.Bytes, item.Room);
                if (++round == Round)
                {
                    round = 0;
                    if (!MayGoOn(item.Bytes))
                        return;
                }
            }
            item = Stack.Pop();
            coming[at] = item;
            if (Sse.IsSupported)
                Sse.Prefetch0(item.Bytes);
        }
    }

    /// <summary>A reference to an address was met.</summary>
    /// <param name="address">The address.</param>
    /// <param name="source">Method table of the object that has it; 0 for a root.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Reach(ulong address, ulong source)
    {
        ulong slot = _table.SlotOf(address);
        if (slot >= _table.Count)
            return;
        MarkSlot* place = _table.Slots + slot;
        ulong offset = address - place->Start;
        if (offset >= place->Length)
        {
            ReachShared(place, address, source);
            return;
        }
        byte* mark = place->Marks + (offset >> MarkSegment.PlaceBits);
        byte seen = *mark;
        if (seen == 0)
        {
            *mark = MarkSegment.Reached;
            Stack.Push(new(place->Bytes + offset, place->Length - offset));
        }
        else if (seen != MarkSegment.Reached)
        {
            ReachWatched(mark, address, source);
        }
    }

    /// <summary>An object that was reached is followed.</summary>
    public void Follow(ulong address)
    {
        if (marker.Heap.Find(address) is { } segment)
            Stack.Push(new(segment.Bytes + (address - segment.Start), segment.End - address));
    }

    // A type that is met often is worth a question.
    private bool MayGoOn(byte* item)
    {
        marker.Shapes.Sample(*(ulong*)item & ~MarkSegment.MethodTableBits, _shapes);
        return marker.MayGoOn(ref Stack, _limit);
    }

    // Several segments are in one slot, or an address that is in none.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void ReachShared(MarkSlot* place, ulong address, ulong source)
    {
        if (!MarkTable.IsShared(*place) || marker.Heap.Find(address) is not { } segment)
            return;
        byte* mark = segment.MarkOf(address - segment.Start);
        if (*mark == 0)
        {
            *mark = MarkSegment.Reached;
            Follow(address);
        }
        else if (*mark != MarkSegment.Reached)
        {
            ReachWatched(mark, address, source);
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void ReachWatched(byte* mark, ulong address, ulong source)
    {
        byte seen = *mark;
        if ((seen & MarkSegment.Watched) == 0)
        {
            ReachHeld(mark, address, seen);
            return;
        }
        AskGate(mark, address, source);
        // A value may be the key of the next one: in a loop, however many there are.
        while (_reached.Count > 0)
        {
            ulong dependent = _reached[^1];
            _reached.RemoveAt(_reached.Count - 1);
            if (marker.Heap.Find(dependent) is not { } segment)
                continue;
            mark = segment.MarkOf(dependent - segment.Start);
            if (*mark is var other && (other & MarkSegment.Watched) != 0)
                AskGate(mark, dependent, 0);
            else if ((other & MarkSegment.Held) != 0)
                ReachHeld(mark, dependent, other);
            else if (IsFirst(mark))
                Follow(dependent);
        }
        foreach (ulong released in _released)
            Follow(released);
        _released.Clear();
    }

    // A waiter is followed when all threads have come to their end, and its wait has.
    private void ReachHeld(byte* mark, ulong address, byte seen)
    {
        if ((seen & MarkSegment.Reached) != 0)
            return;
        if (!marker.Gates.IsForced)
            *mark = (byte)(seen | MarkSegment.Reached);
        else if (MarkSegment.IsFirst(mark))
            Follow(address);
    }

    // What a million frames refer to is asked about until that matters no more.
    private void AskGate(byte* mark, ulong address, ulong source)
    {
        bool isHeld = (*mark & MarkSegment.Held) != 0;
        if (!marker.Gates.Reach(source, address, IsFirst(mark), isHeld, _released, _reached))
            *mark = (byte)(MarkSegment.Reached | (isHeld ? MarkSegment.Held : 0));
    }

    private static bool IsFirst(byte* mark)
    {
        byte seen = *mark;
        *mark = (byte)(seen | MarkSegment.Reached);
        return (seen & MarkSegment.Reached) == 0;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Scan(byte* item, ulong room)
    {
        if (room < 2 * sizeof(ulong))
        {
            marker.Damaged(item);
            return;
        }
        ulong methodTable = *(ulong*)item & ~MarkSegment.MethodTableBits;
        ref PackedShape shape = ref _shapes.Of(methodTable);
        if (shape.Kind == ShapeKind.Fields && shape.Size <= room)
        {
            for (ulong fields = shape.Fields; fields != 0; fields &= fields - 1)
                Reach(*(ulong*)(item + ((uint)BitOperations.TrailingZeroCount(fields) * sizeof(ulong))), methodTable);
        }
        else if (shape.Kind == ShapeKind.References)
        {
            ulong items = shape.Size, count = *(uint*)(item + sizeof(ulong));
            if (items + (count * sizeof(ulong)) > room)
                marker.Damaged(item);
            else
                ScanAll(item + items, count, methodTable);
        }
        else if (shape.Kind != ShapeKind.Plain)
        {
            ScanOthers(item, room, methodTable);
        }
    }

    private void ScanAll(byte* first, ulong count, ulong methodTable)
    {
        byte* end = first + (count * sizeof(ulong));
        for (byte* at = first; at < end; at += sizeof(ulong))
            Reach(*(ulong*)at, methodTable);
    }

    // What has structs or many fields, keeps something else alive, or is damaged.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void ScanOthers(byte* item, ulong room, ulong methodTable)
    {
        if (marker.Shapes.Of(methodTable) is not { } shape)
        {
            marker.Damaged(item);
            return;
        }
        ulong size = shape.SizeOf(shape.ComponentSize == 0 ? 0 : *(uint*)(item + sizeof(ulong)));
        if (size - sizeof(ulong) > room)
        {
            marker.Damaged(item);
            return;
        }
        if (marker.Shapes.Chains is { } chains && chains.MethodTables.Contains(methodTable))
        {
            ScanChainTask(item, shape.Fields, chains.Layout, methodTable);
            return;
        }
        if (shape.KeepsAlive != 0)
            Reach(shape.KeepsAlive, methodTable);
        foreach ((uint start, long length) in shape.Series)
            ScanSeries(item, start, unchecked(length + (long)size), size - sizeof(ulong), methodTable);
        if (shape.Items.Length > 0)
            ScanItems(item, shape, size - sizeof(ulong));
    }

    private void ScanChainTask(byte* item, ulong fields, TaskLayout layout, ulong methodTable)
    {
        if (TaskLayout.IsCompleted(*(uint*)(item + layout.StateFlags)))
            fields &= ~(1UL << (layout.StateObject / sizeof(ulong)));
        for (; fields != 0; fields &= fields - 1)
            Reach(*(ulong*)(item + ((uint)BitOperations.TrailingZeroCount(fields) * sizeof(ulong))), methodTable);
    }

    private void ScanSeries(byte* item, uint start, long length, ulong size, ulong methodTable)
    {
        if (length < 0 || start + (ulong)length > size)
            return;
        ScanAll(item + start, (ulong)length / sizeof(ulong), methodTable);
    }

    private void ScanItems(byte* item, ObjectShape shape, ulong size)
    {
        for (ulong at = shape.FirstItem; at < size;)
        {
            foreach ((uint count, uint skip) in shape.Items)
            {
                for (uint i = 0; i < count && at + sizeof(ulong) <= size; i++, at += sizeof(ulong))
                    Reach(*(ulong*)(item + at), shape.MethodTable);
                at += skip;
            }
        }
    }
}
