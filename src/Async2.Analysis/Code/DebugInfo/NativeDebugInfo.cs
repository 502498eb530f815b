using Async2.Analysis.Targets.Memory;

namespace Async2.Analysis.Code.DebugInfo;

/// <summary>
/// The JIT's debug info of one native body, decoded from the target's memory. ClrMD's <c>ILOffsetMap</c> describes one body
/// of a method only, which with tiering is often not the one that contains an address.
/// Format: coreclr 10.0.12, CompressDebugInfo (src/coreclr/vm/debuginfostore.cpp), and that of .NET 11.
/// </summary>
internal static class NativeDebugInfo
{
    private const int BlobLimit = 4 * 1024 * 1024;
    private const int FirstRead = 4096;
    private const int BoundsLimit = 1_000_000;

    // ICorDebugInfo::MAX_MAPPING_VALUE: added to an IL offset so that -3 becomes 0.
    private const uint ILBias = unchecked((uint)-3);
    private const uint LargestSource = 0x3F;
    private const int FlaggedSourceBits = 2;
    private const int ChunkedSourceBits = 3;

    private delegate bool Decode<TEntry>(ReadOnlySpan<byte> blob, DebugInfoFormat format, out TEntry[] entries);

    /// <summary>Bounds in native order; empty if there is no debug info or it is invalid.</summary>
    public static ILMappingEntry[] ReadBounds(TargetMemory memory, ulong address, DebugInfoFormat format = DebugInfoFormat.Flagged)
        => Read<ILMappingEntry>(memory, address, format, TryReadBounds);

    /// <summary>Places of variables; empty if there is no debug info or it is invalid.</summary>
    public static NativeVariable[] ReadVariables(TargetMemory memory, ulong address, DebugInfoFormat format = DebugInfoFormat.Flagged)
        => Read<NativeVariable>(memory, address, format, TryReadVariables);

    /// <summary>Suspension points by state; empty if the debug info has none or is invalid.</summary>
    public static AsyncPoint[] ReadAsyncPoints(TargetMemory memory, ulong address, DebugInfoFormat format)
        => Read<AsyncPoint>(memory, address, format, TryReadAsyncPoints);

    /// <summary>Decodes a blob that may be truncated; false if it ended too early or is invalid.</summary>
    internal static bool TryReadBounds(ReadOnlySpan<byte> blob, out ILMappingEntry[] bounds) => TryReadBounds(blob, DebugInfoFormat.Flagged, out bounds);

    internal static bool TryReadBounds(ReadOnlySpan<byte> blob, DebugInfoFormat format, out ILMappingEntry[] bounds)
    {
        bounds = [];
        if (DebugInfoHeader.Find(blob, format) is not { } header || !header.Bounds.TryIn(blob, out ReadOnlySpan<byte> packed))
            return false;
        return packed.IsEmpty || (format == DebugInfoFormat.Nibbles ? TryReadNibbles(packed, out bounds)
            : TryUnpack(packed, format == DebugInfoFormat.Chunked ? ChunkedSourceBits : FlaggedSourceBits, out bounds));
    }

    /// <summary>
    /// Which of the two formats with flags the bounds have: the one that ends where the chunk does. Null if both or neither
    /// do, as with very few bounds.
    /// </summary>
    public static DebugInfoFormat? FormatOf(TargetMemory memory, ulong address)
    {
        byte[] blob = new byte[FirstRead];
        int read = address == 0 ? 0 : memory.ReadUpTo(address, blob);
        return FormatOf(blob.AsSpan(0, read));
    }

    internal static DebugInfoFormat? FormatOf(ReadOnlySpan<byte> blob)
    {
        if (DebugInfoHeader.Find(blob, DebugInfoFormat.Flagged) is not { } header || !header.Bounds.TryIn(blob, out ReadOnlySpan<byte> bytes) || bytes.IsEmpty)
            return null;
        bool isNibbles = TryReadNibbles(bytes, out _), isPacked = TryUnpack(bytes, FlaggedSourceBits, out _) && PackedLength(bytes) == bytes.Length;
        return isNibbles == isPacked ? null : isNibbles ? DebugInfoFormat.Nibbles : DebugInfoFormat.Flagged;
    }

    private static long PackedLength(ReadOnlySpan<byte> packed)
    {
        var header = new NibbleReader(packed);
        long count = header.ReadUInt32();
        long bits = header.ReadUInt32() + 1L + header.ReadUInt32() + 1 + FlaggedSourceBits;
        return header.ByteIndex + (count * bits + 7) / 8;
    }

    private static bool TryReadNibbles(ReadOnlySpan<byte> bytes, out ILMappingEntry[] bounds)
    {
        bounds = [];
        var reader = new NibbleReader(bytes);
        uint count = reader.ReadUInt32();
        if (!reader.IsValid || count > BoundsLimit)
            return false;
        var result = new List<ILMappingEntry>();
        uint native = 0;
        for (uint i = 0; i < count && reader.IsValid; i++)
        {
            native += reader.ReadUInt32();
            int il = unchecked((int)(reader.ReadUInt32() + ILBias));
            // ICorDebugInfo::SourceTypes, flags.
            if (reader.ReadUInt32() > LargestSource)
                return false;
            result.Add(new ILMappingEntry(native, il, ILMappingSource.None));
        }
        if (!reader.IsValid || reader.ByteIndex != bytes.Length)
            return false;
        bounds = [.. result];
        return true;
    }

    /// <summary>The same for the variables.</summary>
    internal static bool TryReadVariables(ReadOnlySpan<byte> blob, out NativeVariable[] variables)
        => TryReadVariables(blob, DebugInfoFormat.Flagged, out variables);

    internal static bool TryReadVariables(ReadOnlySpan<byte> blob, DebugInfoFormat format, out NativeVariable[] variables)
    {
        variables = [];
        if (DebugInfoHeader.Find(blob, format) is not { } header || !header.Variables.TryIn(blob, out ReadOnlySpan<byte> packed))
            return false;
        return packed.IsEmpty || NativeVariables.TryRead(packed, format, out variables);
    }

    /// <summary>The same for the suspension points.</summary>
    internal static bool TryReadAsyncPoints(ReadOnlySpan<byte> blob, DebugInfoFormat format, out AsyncPoint[] points)
    {
        points = [];
        if (DebugInfoHeader.Find(blob, format) is not { } header || !header.AsyncPoints.TryIn(blob, out ReadOnlySpan<byte> packed))
            return false;
        return packed.IsEmpty || AsyncPoint.TryReadAll(packed, out points);
    }

    private static TEntry[] Read<TEntry>(TargetMemory memory, ulong address, DebugInfoFormat format, Decode<TEntry> decode)
    {
        if (address == 0)
            return [];
        for (int size = FirstRead; size <= BlobLimit; size *= 32)
        {
            byte[] blob = new byte[size];
            int read = memory.ReadUpTo(address, blob);
            if (decode(blob.AsSpan(0, read), format, out TEntry[] entries))
                return entries;
            if (read < size)
                break;
        }
        return [];
    }

    private static bool TryUnpack(ReadOnlySpan<byte> packed, int sourceBits, out ILMappingEntry[] bounds)
    {
        bounds = [];
        var header = new NibbleReader(packed);
        uint count = header.ReadUInt32();
        int nativeBits = (int)header.ReadUInt32() + 1;
        int ilBits = (int)header.ReadUInt32() + 1;
        int entryBits = nativeBits + ilBits + sourceBits;
        long firstBit = header.ByteIndex * 8L;
        if (!header.IsValid || nativeBits is < 1 or > 31 || ilBits is < 1 or > 32 || entryBits > 64
            || count > BoundsLimit || firstBit + (long)count * entryBits > packed.Length * 8L)
            return false;
        var result = new ILMappingEntry[count];
        uint native = 0;
        for (uint i = 0; i < count; i++)
        {
            ulong entry = Bits(packed, firstBit + i * (long)entryBits, entryBits);
            var source = sourceBits == ChunkedSourceBits ? (ILMappingSource)(entry & ((1u << ChunkedSourceBits) - 1)) : ILMappingSource.None;
            entry >>= sourceBits;
            native += (uint)(entry & ((1ul << nativeBits) - 1));
            uint il = unchecked((uint)(entry >> nativeBits) + ILBias);
            result[i] = new ILMappingEntry(native, (int)il, source);
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
