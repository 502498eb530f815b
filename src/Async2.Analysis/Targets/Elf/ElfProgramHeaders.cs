using System.Buffers.Binary;

namespace Async2.Analysis.Targets.Elf;

/// <summary>A program header of a 64-bit ELF file (ELF gABI, Elf64_Phdr).</summary>
/// <param name="Type"><see cref="Load"/> for memory.</param>
/// <param name="Offset">In the file.</param>
/// <param name="Address">Of the first byte.</param>
/// <param name="Bytes">In the file; memory beyond them is not in it.</param>
internal readonly record struct ElfSegment(uint Type, ulong Offset, ulong Address, ulong Bytes)
{
    /// <summary>PT_LOAD.</summary>
    public const uint Load = 1;

    /// <summary>PT_INTERP: the path of the library that loads the others.</summary>
    public const uint Loader = 3;

    /// <summary>PT_GNU_EH_FRAME: the table of .eh_frame_hdr (LSB 5, section 10.6.2).</summary>
    public const uint FrameTable = 0x6474e550;
}

/// <summary>The list of program headers of an ELF core.</summary>
/// <param name="Segments">Those that could be read.</param>
/// <param name="End">Where the list ends in the file.</param>
internal sealed record ElfProgramHeaders(IReadOnlyList<ElfSegment> Segments, long End)
{
    private const int EntrySize = 56;
    private const ushort CountInSectionHeader = 0xffff;

    // Far above vm.max_map_count, which is what limits a real process.
    private const long CountLimit = 16 * 1024 * 1024;

    /// <summary>Null if the file is not a 64-bit ELF, or its values are impossible.</summary>
    public static ElfProgramHeaders? Read(Stream file)
    {
        Span<byte> header = stackalloc byte[ElfHeader.Size];
        file.Position = 0;
        if (file.ReadAtLeast(header, ElfHeader.Size, throwOnEndOfStream: false) < ElfHeader.Size || header[4] != 2)
            return null;
        ulong table = BinaryPrimitives.ReadUInt64LittleEndian(header[32..]);
        long? count = Count(file, header);
        if (count is null or > CountLimit || table > long.MaxValue / 2)
            return null;
        var segments = new List<ElfSegment>();
        Span<byte> entry = stackalloc byte[EntrySize];
        file.Position = (long)table;
        for (long i = 0; i < count && file.ReadAtLeast(entry, EntrySize, throwOnEndOfStream: false) == EntrySize; i++)
        {
            segments.Add(new(
                BinaryPrimitives.ReadUInt32LittleEndian(entry),
                BinaryPrimitives.ReadUInt64LittleEndian(entry[8..]),
                BinaryPrimitives.ReadUInt64LittleEndian(entry[16..]),
                BinaryPrimitives.ReadUInt64LittleEndian(entry[32..])));
        }
        return new(segments, (long)table + count.Value * EntrySize);
    }

    // More than 65,534 segments: the real count is in the first section header (ELF gABI, PN_XNUM).
    private static long? Count(Stream file, ReadOnlySpan<byte> header)
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
