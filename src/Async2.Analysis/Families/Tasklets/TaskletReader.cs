using Async2.Analysis.Targets.Memory;

namespace Async2.Analysis.Families.Tasklets;

/// <summary>Reads tasklets and what belongs to them from native memory, in place where it lies in this process. One for each thread.</summary>
/// <param name="memory">The target's.</param>
/// <param name="layout">Of tasklets.</param>
/// <param name="isAlone">No other thread reads that memory; else only what lies in this process is read.</param>
internal sealed class TaskletReader(TargetMemory memory, TaskletLayout layout, bool isAlone = true)
{
    private byte[] _scratch = [];
    private ImageRange _near;

    public TaskletLayout Layout => layout;

    /// <summary>False when its memory is not there.</summary>
    public bool TryRead(ulong address, out TaskletRow row)
    {
        row = default;
        if (!TryRead(address, layout.Size, out NativeBytes bytes))
            return false;
        row = new(
            bytes.Pointer(layout.Next), bytes.Pointer(layout.Prev), bytes.Pointer(layout.NextInList), bytes.Pointer(layout.RestoreIP),
            bytes.Pointer(layout.StackData), bytes.Pointer(layout.Info), bytes.Int32(layout.ReturnType), bytes.Int32(layout.Generation));
        return true;
    }

    /// <summary>False if the memory of a <c>StackDataInfo</c> is not there.</summary>
    public bool TryReadFrame(ulong info, out TaskletFrame frame)
    {
        frame = default;
        if (!TryRead(info, layout.InfoSize, out NativeBytes bytes))
            return false;
        frame = new(
            bytes.UInt32(layout.Requirement), bytes.UInt32(layout.Unrecorded), bytes.UInt32(layout.DataSize), bytes.UInt32(layout.ReturnSlot),
            bytes.UInt32(layout.ByRefCount), bytes.UInt32(layout.ObjectRefCount), bytes.UInt32(layout.ArgumentBytes),
            bytes.Pointer(layout.ByRefs), bytes.Pointer(layout.ObjectRefs), bytes.Pointer(layout.Registers));
        return true;
    }

    /// <summary>So many bytes, valid until the next call; false when they are not there.</summary>
    public bool TryRead(ulong address, int length, out NativeBytes bytes)
    {
        // Structs that were allocated together are neighbours.
        if (address != 0 && TryGetNear(address, length, out bytes))
            return true;
        bytes = default;
        return address != 0 && ((memory.Image is not null && TryFind(address, length, out bytes)) || (isAlone && TryCopy(address, length, out bytes)));
    }

    /// <summary>Whether so many bytes are there, by the first and the last one where they are not near.</summary>
    public bool Has(ulong address, uint length)
        => TryGetNear(address, (int)length, out _)
            || (address <= ulong.MaxValue - length && TryRead(address, 1, out _) && TryRead(address + length - 1, 1, out _));

    private bool TryFind(ulong address, int length, out NativeBytes bytes)
    {
        _near = memory.Image!.RangeOf(address);
        return TryGetNear(address, length, out bytes);
    }

    private unsafe bool TryGetNear(ulong address, int length, out NativeBytes bytes)
    {
        ulong offset = address - _near.Start;
        bool isThere = offset < _near.Length && (ulong)length <= _near.Length - offset;
        bytes = isThere ? new((byte*)_near.Data + offset) : default;
        return isThere;
    }

    private unsafe bool TryCopy(ulong address, int length, out NativeBytes bytes)
    {
        if (_scratch.Length < length)
            _scratch = GC.AllocateUninitializedArray<byte>(Math.Max(length, 256), pinned: true);
        bytes = new((byte*)System.Runtime.InteropServices.Marshal.UnsafeAddrOfPinnedArrayElement(_scratch, 0));
        return memory.TryRead(address, _scratch.AsSpan(0, length));
    }
}
