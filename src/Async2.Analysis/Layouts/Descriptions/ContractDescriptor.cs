using System.Buffers.Binary;
using Async2.Analysis.Targets.Libraries;
using static System.FormattableString;

namespace Async2.Analysis.Layouts.Descriptions;

/// <summary>
/// A contract in a target (dotnet/runtime, docs/design/datacontracts/contract-descriptor.md): u64 magic, u32 flags, u32 size of the
/// JSON, pointer to it, u32 count of pointers, u32 of nothing, pointer to them; 40 bytes.
/// </summary>
/// <param name="module">Library that has it.</param>
/// <param name="source">What to call it.</param>
internal sealed class ContractDescriptor(NativeModule module, LayoutSource source)
{
    // "DNCCDAC\0", in the order in which the document writes the number, and in that of runtime 10.0.12.
    private const ulong Magic = 0x0043414443434e44;

    // A runtime of 32 bits; bit 0 is always set.
    private const uint Is32Bit = 2;

    private const int DescriptorAt = 16;
    private const int CountAt = 24;
    private const int PointersAt = 32;

    /// <summary>Whether something with the mark of a contract is there.</summary>
    public static bool IsAt(NativeModule module, ulong address)
    {
        Span<byte> magic = stackalloc byte[sizeof(ulong)];
        return address != 0 && module.TryRead(address, magic) && IsMagic(magic);
    }

    /// <summary>What it says; null if that does not concern async code.</summary>
    /// <exception cref="LayoutException">It cannot be used.</exception>
    public LayoutDescription? Read(ulong address)
        => ReadText(address, out ulong pointers, out uint count) is { } text && AsyncLayoutParts.MayConcernAsync(text) ? DescriptionParser.Parse(text, source, Pointers(pointers, count)) : null;

    /// <summary>Its JSON, whatever that concerns; null if the target does not have it.</summary>
    /// <exception cref="LayoutException">It cannot be used.</exception>
    public byte[]? ReadText(ulong address) => ReadText(address, out _, out _);

    private byte[]? ReadText(ulong address, out ulong pointers, out uint pointerCount)
    {
        (pointers, pointerCount) = (0, 0);
        Span<byte> head = stackalloc byte[DescriptorAt];
        Span<byte> count = stackalloc byte[sizeof(uint)];
        if (!module.TryRead(address, head) || !module.TryRead(address + CountAt, count))
            throw Refused("it is not in the target's memory, and there is no file of the same build to read it from");
        if (!IsMagic(head))
            throw Refused(Invariant($"it begins with 0x{BinaryPrimitives.ReadUInt64LittleEndian(head):x16}, which is not the magic number of a contract"));
        if ((BinaryPrimitives.ReadUInt32LittleEndian(head[8..]) & Is32Bit) != 0)
            throw Refused("it is of a 32-bit runtime, and only 64-bit ones are read");
        // A dump that lacks it, of which a debugger shows the file in its place.
        if (!module.TryReadOwnPointer(address + DescriptorAt, out ulong json) || !module.TryReadOwnPointer(address + PointersAt, out pointers))
            return null;
        pointerCount = BinaryPrimitives.ReadUInt32LittleEndian(count);
        return Text(json, BinaryPrimitives.ReadUInt32LittleEndian(head[12..]));
    }

    private static bool IsMagic(ReadOnlySpan<byte> bytes)
        => BinaryPrimitives.ReadUInt64LittleEndian(bytes) == Magic || BinaryPrimitives.ReadUInt64BigEndian(bytes) == Magic;

    private byte[] Text(ulong address, uint length)
    {
        if (length > LayoutLimits.JsonBytes)
            throw Refused(DescriptionParser.TooLong(source, length));
        byte[] text = new byte[length];
        return module.TryRead(address, text) ? text : throw Refused(Invariant($"its {length:N0} bytes of JSON at 0x{address:x} cannot be read"));
    }

    private ulong[] Pointers(ulong address, uint count)
    {
        if (count > LayoutLimits.Pointers)
            throw Refused(Invariant($"it has {count:N0} pointers; at most {LayoutLimits.Pointers:N0} are read"));
        ulong[] pointers = new ulong[count];
        for (uint i = 0; i < count; i++)
        {
            // Some are null for good.
            ulong entry = address + i * sizeof(ulong);
            if (!module.TryReadOwnPointer(entry, out pointers[i]) && !module.TryReadPointer(entry, out pointers[i]))
                throw Refused(Invariant($"entry {i} of its pointer data at 0x{address:x} cannot be read"));
        }
        return pointers;
    }

    private LayoutException Refused(string fault) => DescriptionParser.Refused(source, [fault]);
}
