using System.Buffers.Binary;

namespace Async2.Analysis.Targets.Elf;

/// <summary>Reads bytes of an ELF library by address; false if a byte is missing.</summary>
internal delegate bool ElfRead(ulong address, Span<byte> buffer);

/// <summary>The places of an ELF library's symbols and relocations (ELF gABI, Elf64_Dyn). Addresses are relative to the reader; 0 for absent tables.</summary>
internal sealed record ElfDynamic
{
    private const int EntrySize = 16;
    private const int EntryLimit = 1024;

    /// <summary>PT_DYNAMIC.</summary>
    private const uint Segment = 2;

    public ulong Symbols { get; private init; }

    public ulong Strings { get; private init; }

    public ulong StringBytes { get; private init; }

    /// <summary>DT_GNU_HASH.</summary>
    public ulong GnuHash { get; private init; }

    /// <summary>DT_HASH, which older linkers write.</summary>
    public ulong Hash { get; private init; }

    public ulong Relocations { get; private init; }

    public ulong RelocationBytes { get; private init; }

    /// <summary>Null if there is no dynamic section, or it cannot be read.</summary>
    /// <param name="headers">The library's headers.</param>
    /// <param name="read">Reads it.</param>
    /// <param name="bias">Added to the addresses of the headers to get those of the reader.</param>
    public static ElfDynamic? Read(ElfProgramHeaders headers, ElfRead read, ulong bias)
    {
        foreach (ElfSegment segment in headers.Segments)
        {
            if (segment.Type == Segment && segment.Bytes is > 0 and <= EntryLimit * EntrySize)
            {
                byte[] table = new byte[segment.Bytes];
                return read(bias + segment.Address, table) ? Read(table, bias) : null;
            }
        }
        return null;
    }

    private static ElfDynamic Read(ReadOnlySpan<byte> table, ulong bias)
    {
        ulong symbols = 0, strings = 0, stringBytes = 0, gnuHash = 0, hash = 0, relocations = 0, relocationBytes = 0;
        for (; table.Length >= EntrySize && BinaryPrimitives.ReadInt64LittleEndian(table) is not 0 and var tag; table = table[EntrySize..])
        {
            ulong value = BinaryPrimitives.ReadUInt64LittleEndian(table[8..]);
            // glibc's loader replaces the file's addresses by real ones, musl's does not.
            ulong address = value >= bias ? value : value + bias;
            switch (tag)
            {
                case 4: hash = address; break; // DT_HASH
                case 5: strings = address; break; // DT_STRTAB
                case 6: symbols = address; break; // DT_SYMTAB
                case 7: relocations = address; break; // DT_RELA
                case 8: relocationBytes = value; break; // DT_RELASZ
                case 10: stringBytes = value; break; // DT_STRSZ
                case 0x6ffffef5: gnuHash = address; break; // DT_GNU_HASH
            }
        }
        return new()
        {
            Symbols = symbols, Strings = strings, StringBytes = stringBytes, GnuHash = gnuHash, Hash = hash,
            Relocations = relocations, RelocationBytes = relocationBytes,
        };
    }
}
