using System.Buffers.Binary;

namespace Async2.Analysis.Targets;

/// <summary>How far an ELF core reaches by its own word.</summary>
/// <param name="Bytes">End of its last segment.</param>
/// <param name="IsWhole">False when the list of segments is itself cut, so that more may be missing.</param>
internal readonly record struct CoreExtent(long Bytes, bool IsWhole);

/// <summary>
/// How many bytes an ELF core says it has, from its program headers, so that a dump which was cut short (disk full, copy
/// interrupted) is recognised before anything is read from it.
/// </summary>
internal static class ElfCoreExtent
{
    private const int ProgramHeaderSize = 56;
    private const ushort CountInSectionHeader = 0xffff;

    // Far above vm.max_map_count, which is what limits a real process.
    private const long CountLimit = 16 * 1024 * 1024;

    /// <summary>Null when the file is no 64-bit ELF, or says nothing that can be true.</summary>
    public static CoreExtent? Expected(Stream file)
    {
        Span<byte> header = stackalloc byte[ElfHeader.Size];
        file.Position = 0;
        if (file.ReadAtLeast(header, ElfHeader.Size, throwOnEndOfStream: false) < ElfHeader.Size || header[4] != 2)
            return null;
        ulong table = BinaryPrimitives.ReadUInt64LittleEndian(header[32..]);
        long? count = ProgramHeaderCount(file, header);
        if (count is null or > CountLimit || table > long.MaxValue / 2)
            return null;
        long end = (long)table + count.Value * ProgramHeaderSize;
        return new(Math.Max(end, EndOfSegments(file, (long)table, count.Value)), IsWhole: end <= file.Length);
    }

    private static long EndOfSegments(Stream file, long table, long count)
    {
        long end = 0;
        Span<byte> program = stackalloc byte[ProgramHeaderSize];
        file.Position = table;
        for (long i = 0; i < count; i++)
        {
            if (file.ReadAtLeast(program, ProgramHeaderSize, throwOnEndOfStream: false) < ProgramHeaderSize)
                break;
            ulong offset = BinaryPrimitives.ReadUInt64LittleEndian(program[8..]);
            ulong size = BinaryPrimitives.ReadUInt64LittleEndian(program[32..]);
            if (size > 0)
                end = Math.Max(end, (long)Math.Min(offset, long.MaxValue / 2) + (long)Math.Min(size, long.MaxValue / 2));
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
