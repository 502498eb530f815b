using System.Buffers.Binary;
using Async2.Analysis.Targets.Memory;

namespace Async2.Analysis.Layouts.Types;

/// <summary>An object of the target whose fields are read one by one; what cannot be read is null, or 0 for a reference.</summary>
internal readonly record struct HeapObject(TargetMemory Memory, ulong Address)
{
    public ulong Reference(int offset) => Memory.TryReadPointer(Address + (ulong)offset, out ulong value) ? value : 0;

    public HeapObject At(int offset) => this with { Address = Reference(offset) };

    public int? Int32(int offset) => Memory.TryReadUInt32(Address + (ulong)offset, out uint value) ? (int)value : null;

    public uint? UInt32(int offset) => Memory.TryReadUInt32(Address + (ulong)offset, out uint value) ? value : null;

    public long? Int64(int offset)
    {
        Span<byte> bytes = stackalloc byte[sizeof(long)];
        return Memory.TryRead(Address + (ulong)offset, bytes) ? BinaryPrimitives.ReadInt64LittleEndian(bytes) : null;
    }

    public byte? Byte(int offset)
    {
        Span<byte> one = stackalloc byte[1];
        return Memory.TryRead(Address + (ulong)offset, one) ? one[0] : null;
    }

    /// <summary>Length of an array or string: it stands behind the method table.</summary>
    public uint? Length() => UInt32(Memory.PointerSize);

    /// <summary>0 if it cannot be read.</summary>
    public ulong MethodTable() => MethodTables.TryRead(Memory, Address, out ulong methodTable) ? methodTable : 0;
}
