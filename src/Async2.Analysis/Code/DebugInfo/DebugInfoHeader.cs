using System.Buffers.Binary;

namespace Async2.Analysis.Code.DebugInfo;

/// <summary>A part of a debug info blob; lengths come from the target and may exceed the blob.</summary>
/// <param name="Start">First byte.</param>
/// <param name="Length">Bytes; 0 if there is no such part.</param>
internal readonly record struct DebugInfoChunk(long Start, long Length)
{
    public long End => Start + Length;

    /// <summary>False if the blob ends before the part does.</summary>
    public bool TryIn(ReadOnlySpan<byte> blob, out ReadOnlySpan<byte> bytes)
    {
        bool isThere = End <= blob.Length;
        bytes = isThere ? blob.Slice((int)Start, (int)Length) : [];
        return isThere;
    }
}

/// <summary>Where the parts of a blob of debug info are.</summary>
/// <param name="Bounds">Native offsets and IL.</param>
/// <param name="Variables">Where variables are.</param>
/// <param name="AsyncPoints">Suspension points.</param>
internal readonly record struct DebugInfoHeader(DebugInfoChunk Bounds, DebugInfoChunk Variables, DebugInfoChunk AsyncPoints)
{
    // First byte of a flagged blob, ExtraDebugInfoFlags.
    private const byte HasPatchpoint = 1;
    private const byte HasRichInfo = 2;

    // PatchpointInfo: u64 calleeSaves, u64 tier0Entry, u32 numberOfLocals, u32 frameSize, 4 x i32; then i32 for each local.
    private const int PatchpointSize = 40;
    private const int PatchpointLocals = 16;

    private const uint UninstrumentedFlag = 0xFFFFFFFF;

    // DEBUG_INFO_FAT of a chunked blob.
    private const uint FatMark = 0;

    /// <summary>Null if the header does not fit into the blob.</summary>
    public static DebugInfoHeader? Find(ReadOnlySpan<byte> blob, DebugInfoFormat format)
        => format == DebugInfoFormat.Chunked ? Chunked(blob) : Flagged(blob);

    // Bounds, uninstrumented bounds, variables.
    private static DebugInfoHeader? Flagged(ReadOnlySpan<byte> blob)
    {
        if (FlagsEnd(blob) is not { } position || position >= blob.Length)
            return null;
        var header = new NibbleReader(blob[position..]);
        uint bounds = header.ReadUInt32(), uninstrumented = 0;
        if (bounds == UninstrumentedFlag)
        {
            bounds = header.ReadUInt32();
            uninstrumented = header.ReadUInt32();
        }
        uint variables = header.ReadUInt32();
        if (!header.IsValid)
            return null;
        var first = new DebugInfoChunk(position + header.ByteIndex, bounds);
        return new(first, new(first.End + uninstrumented, variables), default);
    }

    private static int? FlagsEnd(ReadOnlySpan<byte> blob)
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

    // Bounds, variables, uninstrumented bounds, patchpoint, rich info, suspension points.
    private static DebugInfoHeader? Chunked(ReadOnlySpan<byte> blob)
    {
        var header = new NibbleReader(blob);
        uint bounds = header.ReadUInt32();
        bool isFat = bounds == FatMark;
        if (isFat)
            bounds = header.ReadUInt32();
        uint variables = header.ReadUInt32();
        long between = isFat ? (long)header.ReadUInt32() + header.ReadUInt32() + header.ReadUInt32() : 0;
        uint points = isFat ? header.ReadUInt32() : 0;
        if (!header.IsValid)
            return null;
        var first = new DebugInfoChunk(header.ByteIndex, bounds);
        var second = new DebugInfoChunk(first.End, variables);
        return new(first, second, new(second.End + between, points));
    }
}
