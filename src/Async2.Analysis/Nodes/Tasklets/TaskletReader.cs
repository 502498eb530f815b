using System.Buffers.Binary;
using Async2.Analysis.Layouts;
using Async2.Analysis.Targets;

namespace Async2.Analysis.Nodes.Tasklets;

/// <summary>Reads tasklets and what belongs to them from native memory, in place where it lies in this process. One for each thread.</summary>
/// <param name="memory">The target's.</param>
/// <param name="layout">Of tasklets.</param>
/// <param name="isAlone">No other thread reads that memory; else only what lies in this process is read.</param>
internal sealed class TaskletReader(TargetMemory memory, TaskletLayout layout, bool isAlone = true)
{
    private byte[] _scratch = new byte[256];

    public TaskletLayout Layout => layout;

    /// <summary>False when its memory is not there.</summary>
    public bool TryRead(ulong address, out TaskletRow row)
    {
        row = default;
        if (!TryRead(address, layout.Size, out ReadOnlySpan<byte> bytes))
            return false;
        row = new(
            Pointer(bytes, layout.Next), Pointer(bytes, layout.Prev), Pointer(bytes, layout.NextInList), Pointer(bytes, layout.RestoreIP),
            Pointer(bytes, layout.StackData), Pointer(bytes, layout.Info), (int)UInt32(bytes, layout.ReturnType), (int)UInt32(bytes, layout.Generation));
        return true;
    }

    /// <summary>False when the memory of a <c>StackDataInfo</c> is not there.</summary>
    public bool TryReadFrame(ulong info, out TaskletFrame frame)
    {
        frame = default;
        if (!TryRead(info, layout.InfoSize, out ReadOnlySpan<byte> bytes))
            return false;
        frame = new(
            UInt32(bytes, layout.Requirement), UInt32(bytes, layout.Unrecorded), UInt32(bytes, layout.DataSize), UInt32(bytes, layout.ReturnSlot),
            UInt32(bytes, layout.ByRefCount), UInt32(bytes, layout.ObjectRefCount), UInt32(bytes, layout.ArgumentBytes),
            Pointer(bytes, layout.ByRefs), Pointer(bytes, layout.ObjectRefs), Pointer(bytes, layout.Registers));
        return true;
    }

    /// <summary>So many bytes, valid until the next call; false when they are not there.</summary>
    public bool TryRead(ulong address, int length, out ReadOnlySpan<byte> bytes)
    {
        bytes = [];
        if (address == 0)
            return false;
        if (memory.Image is { } image && image.From(address) is var here && here.Length >= length)
        {
            bytes = here[..length];
            return true;
        }
        if (!isAlone)
            return false;
        if (_scratch.Length < length)
            _scratch = new byte[length];
        Span<byte> copy = _scratch.AsSpan(0, length);
        bytes = copy;
        return memory.TryRead(address, copy);
    }

    // An offset of -1 is that of a field which the layout does not have.
    private static ulong Pointer(ReadOnlySpan<byte> bytes, int offset) => offset < 0 ? 0 : BinaryPrimitives.ReadUInt64LittleEndian(bytes[offset..]);

    private static uint UInt32(ReadOnlySpan<byte> bytes, int offset) => offset < 0 ? 0 : BinaryPrimitives.ReadUInt32LittleEndian(bytes[offset..]);
}
