using System.Buffers.Binary;
using Async2.Analysis.Targets.Files;

namespace Async2.Analysis.Targets.Pe;

/// <summary>Reads at an offset from the beginning of an image; false if not all of it can be read.</summary>
internal delegate bool PeRead(uint offset, Span<byte> buffer);

/// <summary>Finds an exported symbol as the loader does: its names are sorted (PE Format, "The .edata Section").</summary>
internal static class PeExports
{
    private const int TableSize = 40;
    private const uint NamesLimit = 1 << 20;

    /// <summary>Looks a symbol up.</summary>
    /// <param name="read">Reads the image.</param>
    /// <param name="header">Its headers.</param>
    /// <param name="name">Of the symbol.</param>
    /// <param name="offset">From the beginning of the image.</param>
    public static ExportSearch Find(PeRead read, PeHeader header, ReadOnlySpan<byte> name, out uint offset)
    {
        offset = 0;
        Span<byte> table = stackalloc byte[TableSize];
        if (header.Exports == 0)
            return ExportSearch.Missing;
        if (!read(header.Exports, table))
            return ExportSearch.Unreadable;
        uint functions = UInt32(table[20..]), names = UInt32(table[24..]), functionsAt = UInt32(table[28..]), namesAt = UInt32(table[32..]), ordinalsAt = UInt32(table[36..]);
        if (names > NamesLimit)
            return ExportSearch.Unreadable;
        for (uint low = 0, high = names; low < high;)
        {
            uint middle = low + (high - low) / 2;
            if (Compare(read, namesAt + middle * 4, name) is not { } order)
                return ExportSearch.Unreadable;
            if (order == 0)
                return Function(read, ordinalsAt + middle * 2, functionsAt, functions, out offset) ? ExportSearch.Found : ExportSearch.Unreadable;
            if (order < 0)
                low = middle + 1;
            else
                high = middle;
        }
        return ExportSearch.Missing;
    }

    // How the name at a place stands to the one that is looked for.
    private static int? Compare(PeRead read, uint entry, ReadOnlySpan<byte> name)
    {
        Span<byte> word = stackalloc byte[sizeof(uint)], letter = stackalloc byte[1];
        if (!read(entry, word))
            return null;
        uint at = UInt32(word);
        for (int i = 0; i <= name.Length; i++)
        {
            if (!read(at + (uint)i, letter))
                return null;
            int wanted = i < name.Length ? name[i] : 0;
            if (letter[0] != wanted)
                return letter[0] - wanted;
        }
        return 0;
    }

    private static bool Function(PeRead read, uint ordinalAt, uint functionsAt, uint functions, out uint offset)
    {
        Span<byte> word = stackalloc byte[sizeof(uint)];
        offset = 0;
        if (!read(ordinalAt, word[..2]) || BinaryPrimitives.ReadUInt16LittleEndian(word) is var index && index >= functions || !read(functionsAt + index * 4u, word))
            return false;
        offset = UInt32(word);
        return true;
    }

    private static uint UInt32(ReadOnlySpan<byte> bytes) => BinaryPrimitives.ReadUInt32LittleEndian(bytes);
}
