using System.Buffers.Binary;
using Async2.Analysis.Targets.Files;

namespace Async2.Analysis.Targets.Elf;

/// <summary>Finds an exported symbol by the hash table of the loader (DT_GNU_HASH; ELF gABI for DT_HASH): a few small reads.</summary>
internal static class ElfSymbols
{
    private const int SymbolSize = 24;

    // Symbols in one bucket; a damaged table may have no end.
    private const int ChainLimit = 4096;

    /// <param name="read">Reads the library.</param>
    /// <param name="dynamic">Its tables.</param>
    /// <param name="name">ASCII, as in the source of a C program.</param>
    /// <param name="value">Address of the symbol in the file: before relocation.</param>
    public static ExportSearch Find(ElfRead read, ElfDynamic dynamic, ReadOnlySpan<byte> name, out ulong value)
    {
        value = 0;
        return dynamic.GnuHash != 0 ? FindGnu(read, dynamic, name, out value) : dynamic.Hash != 0 ? FindOld(read, dynamic, name, out value) : ExportSearch.Missing;
    }

    /// <summary>The value of a symbol by its number; null if it is not defined in this library.</summary>
    public static ulong? ValueOf(ElfRead read, ElfDynamic dynamic, uint index)
    {
        Span<byte> symbol = stackalloc byte[SymbolSize];
        return read(dynamic.Symbols + (ulong)index * SymbolSize, symbol) && IsDefined(symbol) ? BinaryPrimitives.ReadUInt64LittleEndian(symbol[8..]) : null;
    }

    private static ExportSearch FindGnu(ElfRead read, ElfDynamic dynamic, ReadOnlySpan<byte> name, out ulong value)
    {
        value = 0;
        Span<byte> header = stackalloc byte[16];
        if (!read(dynamic.GnuHash, header))
            return ExportSearch.Unreadable;
        uint buckets = Number(header), first = Number(header[4..]), words = Number(header[8..]), shift = Number(header[12..]);
        if (buckets == 0 || words == 0 || shift > 31)
            return ExportSearch.Unreadable;
        uint hash = GnuHash(name);
        Span<byte> word = stackalloc byte[8];
        if (!read(dynamic.GnuHash + 16 + hash / 64 % words * 8ul, word))
            return ExportSearch.Unreadable;
        ulong bloom = BinaryPrimitives.ReadUInt64LittleEndian(word);
        if (((bloom >> (int)(hash % 64)) & (bloom >> (int)((hash >> (int)shift) % 64)) & 1) == 0)
            return ExportSearch.Missing;
        ulong table = dynamic.GnuHash + 16 + words * 8ul;
        if (!read(table + hash % buckets * 4ul, word[..4]))
            return ExportSearch.Unreadable;
        uint index = Number(word);
        if (index < first)
            return ExportSearch.Missing;
        for (int step = 0; step < ChainLimit; step++, index++)
        {
            if (!read(table + buckets * 4ul + (index - first) * 4ul, word[..4]))
                return ExportSearch.Unreadable;
            uint entry = Number(word);
            if ((entry | 1) == (hash | 1) && IsSymbol(read, dynamic, index, name, out value))
                return ExportSearch.Found;
            if ((entry & 1) != 0)
                return ExportSearch.Missing;
        }
        return ExportSearch.Unreadable;
    }

    private static ExportSearch FindOld(ElfRead read, ElfDynamic dynamic, ReadOnlySpan<byte> name, out ulong value)
    {
        value = 0;
        Span<byte> word = stackalloc byte[4];
        if (!read(dynamic.Hash, word))
            return ExportSearch.Unreadable;
        uint buckets = Number(word);
        if (buckets == 0 || !read(dynamic.Hash + 8 + OldHash(name) % buckets * 4ul, word))
            return ExportSearch.Unreadable;
        for (int step = 0; step < ChainLimit; step++)
        {
            uint index = Number(word);
            if (index == 0)
                return ExportSearch.Missing;
            if (IsSymbol(read, dynamic, index, name, out value))
                return ExportSearch.Found;
            if (!read(dynamic.Hash + 8 + buckets * 4ul + index * 4ul, word))
                return ExportSearch.Unreadable;
        }
        return ExportSearch.Unreadable;
    }

    private static bool IsSymbol(ElfRead read, ElfDynamic dynamic, uint index, ReadOnlySpan<byte> name, out ulong value)
    {
        value = 0;
        Span<byte> symbol = stackalloc byte[SymbolSize];
        if (!read(dynamic.Symbols + (ulong)index * SymbolSize, symbol) || !IsDefined(symbol) || Number(symbol) >= dynamic.StringBytes)
            return false;
        Span<byte> text = new byte[name.Length + 1];
        value = BinaryPrimitives.ReadUInt64LittleEndian(symbol[8..]);
        return read(dynamic.Strings + Number(symbol), text) && text[..^1].SequenceEqual(name) && text[^1] == 0;
    }

    // SHN_UNDEF: defined in another library.
    private static bool IsDefined(ReadOnlySpan<byte> symbol) => BinaryPrimitives.ReadUInt16LittleEndian(symbol[6..]) != 0;

    private static uint GnuHash(ReadOnlySpan<byte> name)
    {
        uint hash = 5381;
        foreach (byte letter in name)
            hash = hash * 33 + letter;
        return hash;
    }

    private static uint OldHash(ReadOnlySpan<byte> name)
    {
        uint hash = 0;
        foreach (byte letter in name)
        {
            hash = (hash << 4) + letter;
            uint high = hash & 0xf0000000;
            hash = (hash ^ (high >> 24)) & ~high;
        }
        return hash;
    }

    private static uint Number(ReadOnlySpan<byte> bytes) => BinaryPrimitives.ReadUInt32LittleEndian(bytes);
}
