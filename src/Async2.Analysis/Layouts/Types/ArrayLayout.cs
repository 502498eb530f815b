using System.Runtime.InteropServices;
using Async2.Analysis.Targets.Memory;

namespace Async2.Analysis.Layouts.Types;

/// <summary>
/// Single-dimensional arrays of coreclr (src/coreclr/vm/object.h, ArrayBase): method table, 32-bit length padded to the pointer
/// size, elements.
/// </summary>
internal static class ArrayLayout
{
    /// <summary>Where elements begin, in bytes from the object's address.</summary>
    public static int FirstElement(TargetMemory memory) => 2 * memory.PointerSize;

    /// <summary>Elements of an object[] up to a limit; empty if it is null, unreadable or longer than plausible.</summary>
    public static ulong[] ReadReferences(TargetMemory memory, ulong array, int limit)
    {
        ulong[] elements = [];
        return ReadReferences(memory, array, limit, ref elements).ToArray();
    }

    /// <summary>The same for millions of arrays: in place, or in a buffer that is used again and again, and replaced when it is too small.</summary>
    public static ReadOnlySpan<ulong> ReadReferences(TargetMemory memory, ulong array, int limit, ref ulong[] buffer)
    {
        int pointer = memory.PointerSize;
        if (array == 0 || !memory.TryReadUInt32(array + (ulong)pointer, out uint length) || length == 0 || length > (uint)limit)
            return [];
        ulong first = array + (ulong)FirstElement(memory);
        if (pointer == sizeof(ulong) && memory.InPlace(first, length * sizeof(ulong)) is { IsEmpty: false } here)
            return MemoryMarshal.Cast<byte, ulong>(here);
        if (buffer.Length < length)
            buffer = new ulong[length];
        Span<ulong> elements = buffer.AsSpan(0, (int)length);
        if (pointer == sizeof(ulong))
            return memory.TryRead(first, MemoryMarshal.AsBytes(elements)) ? elements : [];
        for (int i = 0; i < elements.Length; i++)
        {
            if (!memory.TryReadPointer(first + (ulong)(i * pointer), out elements[i]))
                return [];
        }
        return elements;
    }

    /// <summary>Bytes of a byte[] up to a limit; empty if it is null, unreadable or longer than plausible.</summary>
    public static byte[] ReadBytes(TargetMemory memory, ulong array, int limit)
    {
        int pointer = memory.PointerSize;
        if (array == 0 || !memory.TryReadUInt32(array + (ulong)pointer, out uint length) || length == 0 || length > (uint)limit)
            return [];
        byte[] bytes = new byte[length];
        return memory.TryRead(array + (ulong)(2 * pointer), bytes) ? bytes : [];
    }
}
