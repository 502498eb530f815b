using System.Buffers.Binary;

namespace Async2.Analysis.Targets.Dumps;

/// <summary>A part of a minidump: MINIDUMP_DIRECTORY of minidumpapiset.h.</summary>
/// <param name="Kind">MINIDUMP_STREAM_TYPE.</param>
/// <param name="Size">Bytes; those of <see cref="Memory64"/> do not count the memory itself.</param>
/// <param name="Offset">In the file.</param>
internal readonly record struct MinidumpStream(uint Kind, uint Size, uint Offset)
{
    public const uint Threads = 3, Modules = 4, MemoryList = 5, System = 7, Memory64 = 9, Misc = 15, MemoryInfo = 16;
}

/// <summary>A range of memory in a dump.</summary>
/// <param name="Start">Its address.</param>
/// <param name="Length">Bytes.</param>
/// <param name="Offset">In the file; may be beyond its end.</param>
internal readonly record struct DumpRange(ulong Start, ulong Length, ulong Offset);

/// <summary>The parts of a minidump, and where memory is in it. Nothing in it is believed without a look at the file's length.</summary>
internal static class MinidumpHeader
{
    /// <summary>Bytes of the header.</summary>
    public const int Size = 32;

    private const int StreamSize = 12;
    private const int StreamLimit = 4096;
    private const int SmallRange = 16;
    private const int RangeLimit = 1 << 22;

    public static bool IsMinidump(ReadOnlySpan<byte> magic) => magic.StartsWith("MDMP"u8);

    /// <summary>Its parts; null if the list itself is not in the file.</summary>
    public static IReadOnlyList<MinidumpStream>? Streams(Stream file)
    {
        Span<byte> header = stackalloc byte[Size];
        if (!TryRead(file, 0, header) || !IsMinidump(header))
            return null;
        uint count = BinaryPrimitives.ReadUInt32LittleEndian(header[8..]), at = BinaryPrimitives.ReadUInt32LittleEndian(header[12..]);
        byte[] list = new byte[Math.Min(count, StreamLimit) * StreamSize];
        if (!TryRead(file, at, list))
            return null;
        var streams = new List<MinidumpStream>();
        for (ReadOnlySpan<byte> rest = list; rest.Length >= StreamSize; rest = rest[StreamSize..])
            streams.Add(new(BinaryPrimitives.ReadUInt32LittleEndian(rest), BinaryPrimitives.ReadUInt32LittleEndian(rest[4..]), BinaryPrimitives.ReadUInt32LittleEndian(rest[8..])));
        return streams;
    }

    /// <summary>The processor, PROCESSOR_ARCHITECTURE_* of winnt.h; null if it does not say.</summary>
    public static ushort? Processor(Stream file, IEnumerable<MinidumpStream> streams)
    {
        Span<byte> processor = stackalloc byte[2];
        return streams.FirstOrDefault(stream => stream.Kind == MinidumpStream.System) is { Size: > 0 } system && TryRead(file, system.Offset, processor)
            ? BinaryPrimitives.ReadUInt16LittleEndian(processor) : null;
    }

    /// <summary>All memory that it has, in its order; null if the list is not in the file.</summary>
    public static List<DumpRange>? Ranges(Stream file, IEnumerable<MinidumpStream> streams)
    {
        var all = new List<DumpRange>();
        foreach (MinidumpStream stream in streams)
        {
            if (!(stream.Kind == MinidumpStream.Memory64 ? Add64(file, stream, all) : stream.Kind != MinidumpStream.MemoryList || AddList(file, stream, all)))
                return null;
        }
        return all;
    }

    // How many, and where the memory of all begins; then address and length of each.
    private static bool Add64(Stream file, MinidumpStream stream, List<DumpRange> all)
    {
        Span<byte> head = stackalloc byte[16];
        if (!TryRead(file, stream.Offset, head))
            return false;
        ulong count = BinaryPrimitives.ReadUInt64LittleEndian(head), offset = BinaryPrimitives.ReadUInt64LittleEndian(head[8..]);
        if (ReadList(file, stream.Offset + head.Length, count, all.Count) is not { } list)
            return false;
        for (ReadOnlySpan<byte> rest = list; rest.Length > 0; rest = rest[SmallRange..])
        {
            var range = new DumpRange(BinaryPrimitives.ReadUInt64LittleEndian(rest), BinaryPrimitives.ReadUInt64LittleEndian(rest[8..]), offset);
            all.Add(range);
            if (range.Length > ulong.MaxValue - offset)
                return false;
            offset += range.Length;
        }
        return true;
    }

    // How many; then address of 64 bits, length and offset of 32 bits of each.
    private static bool AddList(Stream file, MinidumpStream stream, List<DumpRange> all)
    {
        Span<byte> head = stackalloc byte[4];
        if (!TryRead(file, stream.Offset, head) || ReadList(file, stream.Offset + head.Length, BinaryPrimitives.ReadUInt32LittleEndian(head), all.Count) is not { } list)
            return false;
        for (ReadOnlySpan<byte> rest = list; rest.Length > 0; rest = rest[SmallRange..])
            all.Add(new(BinaryPrimitives.ReadUInt64LittleEndian(rest), BinaryPrimitives.ReadUInt32LittleEndian(rest[8..]), BinaryPrimitives.ReadUInt32LittleEndian(rest[12..])));
        return true;
    }

    // Null if there would be too many with those of other lists, which may be at the same place, or if the file is shorter: nothing is allocated then.
    private static byte[]? ReadList(Stream file, long offset, ulong count, int others)
    {
        if (count > (ulong)(RangeLimit - others) || (long)count * SmallRange > file.Length - offset)
            return null;
        byte[] list = new byte[(int)count * SmallRange];
        return TryRead(file, offset, list) ? list : null;
    }

    private static bool TryRead(Stream file, long offset, Span<byte> buffer)
    {
        if (offset > file.Length - buffer.Length)
            return false;
        file.Position = offset;
        return file.ReadAtLeast(buffer, buffer.Length, throwOnEndOfStream: false) == buffer.Length;
    }
}
