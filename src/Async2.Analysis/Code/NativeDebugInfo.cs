using System.Buffers.Binary;
using Async2.Analysis.Code.Locals;
using Async2.Analysis.Targets;

namespace Async2.Analysis.Code;

/// <summary>A native offset of a body and the IL offset whose code begins there; negative IL offsets are prolog and the like.</summary>
/// <param name="Native">Bytes from the start of the body.</param>
/// <param name="IL">IL offset, or ICorDebugInfo's NO_MAPPING -1, PROLOG -2, EPILOG -3.</param>
internal sealed record NativeBound(uint Native, int IL);

/// <summary>
/// The JIT's debug info of one native body, decoded from the target's memory. ClrMD's <c>ILOffsetMap</c> describes one body
/// of a method only, which with tiering is often not the one that an address lies in.
/// Format: coreclr 10.0.12, CompressDebugInfo (src/coreclr/vm/debuginfostore.cpp).
/// </summary>
internal static class NativeDebugInfo
{
    // First byte of the blob, ExtraDebugInfoFlags.
    private const byte HasPatchpoint = 1;
    private const byte HasRichInfo = 2;

    // PatchpointInfo: u64 calleeSaves, u64 tier0Entry, u32 numberOfLocals, u32 frameSize, 4 x i32; then i32 for each local.
    private const int PatchpointSize = 40;
    private const int PatchpointLocals = 16;

    private const uint UninstrumentedMark = 0xFFFFFFFF;
    private const int BlobLimit = 4 * 1024 * 1024;
    private const int FirstRead = 4096;
    private const int BoundsLimit = 1_000_000;

    // ICorDebugInfo::MAX_MAPPING_VALUE: what is added to an IL offset so that -3 becomes 0.
    private const uint ILBias = unchecked((uint)-3);
    private const int SourceBits = 2;

    private delegate bool Decode<TEntry>(ReadOnlySpan<byte> blob, out TEntry[] entries);

    /// <summary>Bounds in native order; empty when there is no debug info or it makes no sense.</summary>
    public static NativeBound[] ReadBounds(TargetMemory memory, ulong address) => Read<NativeBound>(memory, address, TryReadBounds);

    /// <summary>Where variables are; empty when there is no debug info or it makes no sense.</summary>
    public static NativeVariable[] ReadVariables(TargetMemory memory, ulong address) => Read<NativeVariable>(memory, address, TryReadVariables);

    /// <summary>Decodes a blob that may be cut off; false when it ended too early or makes no sense.</summary>
    internal static bool TryReadBounds(ReadOnlySpan<byte> blob, out NativeBound[] bounds)
    {
        bounds = [];
        if (Find(blob) is not { } sections || sections.Bounds > blob.Length - sections.Start)
            return false;
        return sections.Bounds == 0 || TryUnpack(blob.Slice(sections.Start, (int)sections.Bounds), out bounds);
    }

    /// <summary>The same for the variables, which stand behind the bounds.</summary>
    internal static bool TryReadVariables(ReadOnlySpan<byte> blob, out NativeVariable[] variables)
    {
        variables = [];
        if (Find(blob) is not { } sections)
            return false;
        long start = sections.Start + sections.Bounds + sections.Uninstrumented;
        if (start + sections.Variables > blob.Length)
            return false;
        return sections.Variables == 0 || NativeVariables.TryRead(blob.Slice((int)start, (int)sections.Variables), out variables);
    }

    private static TEntry[] Read<TEntry>(TargetMemory memory, ulong address, Decode<TEntry> decode)
    {
        if (address == 0)
            return [];
        for (int size = FirstRead; size <= BlobLimit; size *= 32)
        {
            byte[] blob = new byte[size];
            int read = memory.ReadUpTo(address, blob);
            if (decode(blob.AsSpan(0, read), out TEntry[] entries))
                return entries;
            if (read < size)
                break;
        }
        return [];
    }

    private static (int Start, long Bounds, long Uninstrumented, long Variables)? Find(ReadOnlySpan<byte> blob)
    {
        if (HeaderEnd(blob) is not { } position || position >= blob.Length)
            return null;
        var header = new NibbleReader(blob[position..]);
        uint bounds = header.ReadUInt32(), uninstrumented = 0;
        if (bounds == UninstrumentedMark)
        {
            bounds = header.ReadUInt32();
            uninstrumented = header.ReadUInt32();
        }
        uint variables = header.ReadUInt32();
        return header.IsValid ? (position + header.ByteIndex, bounds, uninstrumented, variables) : null;
    }

    private static int? HeaderEnd(ReadOnlySpan<byte> blob)
    {
        if (blob.IsEmpty)
            return null;
        long position = 1;
        if ((blob[0] & HasPatchpoint) != 0)
        {
            if (blob.Length < position + PatchpointSize)
                return null;
            position += PatchpointSize + 4L * BinaryPrimitives.ReadUInt32LittleEndian(blob[(int)(position + PatchpointLocals)..]);
        }
        if ((blob[0] & HasRichInfo) != 0)
        {
            if (position + 4 > blob.Length)
                return null;
            position += 4 + BinaryPrimitives.ReadUInt32LittleEndian(blob[(int)position..]);
        }
        return position < blob.Length ? (int)position : null;
    }

    private static bool TryUnpack(ReadOnlySpan<byte> packed, out NativeBound[] bounds)
    {
        bounds = [];
        var header = new NibbleReader(packed);
        uint count = header.ReadUInt32();
        int nativeBits = (int)header.ReadUInt32() + 1;
        int ilBits = (int)header.ReadUInt32() + 1;
        int entryBits = nativeBits + ilBits + SourceBits;
        long firstBit = header.ByteIndex * 8L;
        if (!header.IsValid || nativeBits is < 1 or > 31 || ilBits is < 1 or > 32
            || count > BoundsLimit || firstBit + (long)count * entryBits > packed.Length * 8L)
            return false;
        var result = new NativeBound[count];
        uint native = 0;
        for (uint i = 0; i < count; i++)
        {
            ulong entry = Bits(packed, firstBit + i * (long)entryBits, entryBits) >> SourceBits;
            native += (uint)(entry & ((1ul << nativeBits) - 1));
            uint il = unchecked((uint)(entry >> nativeBits) + ILBias);
            result[i] = new NativeBound(native, (int)il);
        }
        bounds = result;
        return true;
    }

    private static ulong Bits(ReadOnlySpan<byte> bytes, long bit, int count)
    {
        ulong value = 0;
        for (int i = 0; i < count && i < 64; i++, bit++)
        {
            if ((bytes[(int)(bit / 8)] >> (int)(bit % 8) & 1) != 0)
                value |= 1ul << i;
        }
        return value;
    }
}
