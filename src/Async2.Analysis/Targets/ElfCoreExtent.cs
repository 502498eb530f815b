using System.Buffers.Binary;

namespace Async2.Analysis.Targets;

/// <summary>
/// How many bytes an ELF core says it has, from its program headers, so that a dump which was cut short (disk full, copy
/// interrupted) is recognised before anything is read from it.
/// </summary>
internal static class ElfCoreExtent
{
    private const int HeaderSize = 64;
    private const int ProgramHeaderSize = 56;
    private const ushort CountInSectionHeader = 0xffff;

    /// <summary>End of the last segment in bytes; null when the file is no 64-bit ELF or its header itself is cut.</summary>
    public static long? Expected(Stream file)
    {
        Span<byte> header = stackalloc byte[HeaderSize];
        file.Position = 0;
        if (file.ReadAtLeast(header, HeaderSize, throwOnEndOfStream: false) < HeaderSize || header[4] != 2)
            return null;
        ulong table = BinaryPrimitives.ReadUInt64LittleEndian(header[32..]);
        long? count = ProgramHeaderCount(file, header);
        if (count is null || table > (ulong)file.Length)
            return null;
        long end = (long)table + count.Value * ProgramHeaderSize;
        Span<byte> program = stackalloc byte[ProgramHeaderSize];
        file.Position = (long)table;
        for (long i = 0; i < count; i++)
        {
            if (file.ReadAtLeast(program, ProgramHeaderSize, throwOnEndOfStream: false) < ProgramHeaderSize)
                return end;
            ulong offset = BinaryPrimitives.ReadUInt64LittleEndian(program[8..]);
            ulong size = BinaryPrimitives.ReadUInt64LittleEndian(program[32..]);
            if (size > 0 && offset <= long.MaxValue / 2 && size <= long.MaxValue / 2)
                end = Math.Max(end, (long)(offset + size));
        }
        return end;
    }

    // More than 65,534 segments: the real count stands in the first section header (ELF gABI, PN_XNUM).
    private static long? ProgramHeaderCount(Stream file, ReadOnlySpan<byte> header)
    {
        ushort count = BinaryPrimitives.ReadUInt16LittleEndian(header[56..]);
        if (count != CountInSectionHeader)
            return count;
        ulong sections = BinaryPrimitives.ReadUInt64LittleEndian(header[40..]);
        if (sections == 0 || sections > (ulong)file.Length)
            return count;
        Span<byte> section = stackalloc byte[64];
        file.Position = (long)sections;
        return file.ReadAtLeast(section, section.Length, throwOnEndOfStream: false) < section.Length
            ? null
            : BinaryPrimitives.ReadUInt32LittleEndian(section[44..]);
    }
}
