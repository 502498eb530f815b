using System.Runtime.InteropServices;
using Async2.Analysis.Targets.Memory;

namespace Async2.Analysis.Targets.Copying;

/// <summary>
/// Memory for a copy of another process, with the same layout. It is reserved and populated before the
/// process is stopped: page faults would take several times as long as copying.
/// </summary>
internal sealed class CopySpace : IDisposable
{
    // Heaps grow while they are read, mostly at their ends.
    private const ulong Gap = 16ul << 20;

    // By address.
    private readonly List<Slot> _slots = [];
    private (nint Data, ulong Bytes) _block;

    /// <summary>Places of ranges of which the plan says that only they will be known: one behind the other, so that they take no more than they have.</summary>
    public IReadOnlyList<ImageRange> Packed { get; private set; } = [];

    /// <summary>Reserves space for all ranges of a plan; false if there is not enough.</summary>
    public bool Prepare(CopyPlan plan)
    {
        MemorySlice[] ranges = [.. plan.Ranges.OrderBy(r => r.Start)];
        for (int i = 0; i < ranges.Length;)
        {
            (ulong start, ulong end) = (ranges[i].Start, ranges[i].Start + ranges[i].Length);
            while (++i < ranges.Length && ranges[i].Start - end <= Gap)
                end = ranges[i].Start + ranges[i].Length;
            ulong room = i < ranges.Length ? Math.Min(Gap, ranges[i].Start - end) : 0;
            if (Add(start, end + room) == 0)
                return false;
        }
        foreach (MemorySlice run in plan.Runs)
        {
            if (Place(run) is not 0 and var place)
                AddressSpace.Own.Populate(place, run.Length);
        }
        return Pack(plan.Packed);
    }

    /// <summary>Destination of a range; 0 if there is no space for it.</summary>
    public nint Place(MemorySlice run)
    {
        // The last slot that begins at or before it.
        int slot = IndexBehind(run.Start) - 1;
        nint place = slot >= 0 && run.Start + run.Length <= _slots[slot].End
            ? _slots[slot].Data + (nint)(run.Start - _slots[slot].Start)
            : Add(run.Start, run.Start + run.Length);
        return place != 0 && AddressSpace.Own.Commit(place, run.Length) ? place : 0;
    }

    public void Dispose()
    {
        foreach (Slot slot in _slots)
            AddressSpace.Own.Release(slot.Data, slot.End - slot.Start);
        _slots.Clear();
        if (_block.Data != 0)
            AddressSpace.Own.Release(_block.Data, _block.Bytes);
        _block = default;
    }

    private bool Pack(IReadOnlyList<MemorySlice> runs)
    {
        ulong bytes = runs.Aggregate(0ul, (sum, run) => sum + run.Length);
        if (bytes == 0)
            return true;
        nint data = AddressSpace.Own.Reserve(bytes);
        if (data == 0)
            return false;
        _block = (data, bytes);
        if (!AddressSpace.Own.Commit(data, bytes))
            return false;
        AddressSpace.Own.Populate(data, bytes);
        var packed = new List<ImageRange>(runs.Count);
        foreach (MemorySlice run in runs)
        {
            packed.Add(new(run.Start, run.Length, data));
            data += (nint)run.Length;
        }
        Packed = packed;
        return true;
    }

    private nint Add(ulong start, ulong end)
    {
        nint data = AddressSpace.Own.Reserve(end - start);
        if (data != 0)
            _slots.Insert(IndexBehind(start), new(start, end, data));
        return data;
    }

    private int IndexBehind(ulong address) => AddressRanges.IndexBehind(CollectionsMarshal.AsSpan(_slots), address);

    /// <summary>Addresses in the process, and their places in this one.</summary>
    private readonly record struct Slot(ulong Start, ulong End, nint Data) : IAddressRange;
}
