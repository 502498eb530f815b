using Async2.Analysis.Targets.Libraries;

namespace Async2.Analysis.Threads.Unwinding;

/// <summary>How the caller's registers are found anywhere in one native function: an FDE of .eh_frame with its CIE (LSB 5, section 10.6).</summary>
/// <param name="Begin">The function's first instruction.</param>
/// <param name="CodeUnit">Advances count in this many bytes.</param>
/// <param name="DataUnit">Offsets count in this many bytes.</param>
/// <param name="ReturnRegister">The column in which the return address is.</param>
/// <param name="IsSignal">The frame was interrupted, not called.</param>
/// <param name="Encoding">Of addresses in its instructions.</param>
/// <param name="Common">The instructions that all functions of a kind begin with.</param>
/// <param name="Own">Its own ones.</param>
internal sealed record FrameDescription(ulong Begin, ulong CodeUnit, long DataUnit, ulong ReturnRegister, bool IsSignal, byte Encoding, byte[] Common, byte[] Own)
{
    // Real ones have some 20 to some 1,000 bytes.
    private const uint LengthLimit = 64 * 1024;

    // Table of two 32-bit offsets for each function.
    private const byte TableEncoding = 0x3b;
    private const ulong EntrySize = 8;
    private const uint TableLimit = 16 * 1024 * 1024;

    /// <summary>That of the function that contains an instruction; null if the library has none, or it cannot be read.</summary>
    public static FrameDescription? Find(ElfModule module, ulong instruction)
    {
        if (module.FrameTable is not { } table)
            return null;
        byte[] head = new byte[20];
        if (!module.TryRead(table, head))
            return null;
        var cursor = new DwarfCursor(head, table);
        (byte version, byte first, byte count, byte encoding) = (cursor.Byte(), cursor.Byte(), cursor.Byte(), cursor.Byte());
        _ = cursor.Pointer(first, table);
        uint entries = (uint)Math.Min(cursor.Pointer(count, table), TableLimit);
        if (version != 1 || encoding != TableEncoding || cursor.IsBroken || Search(module, table, cursor.Address, entries, instruction) is not { } place)
            return null;
        return Read(module, place, instruction);
    }

    // The last entry that begins at the instruction or before.
    private static ulong? Search(ElfModule module, ulong table, ulong entries, uint count, ulong instruction)
    {
        byte[] entry = new byte[EntrySize];
        (uint low, uint high) = (0, count);
        ulong? found = null;
        while (low < high)
        {
            uint middle = low + ((high - low) / 2);
            if (!module.TryRead(entries + (middle * EntrySize), entry))
                return null;
            var cursor = new DwarfCursor(entry, 0);
            ulong begin = table + (ulong)(int)cursor.UInt32();
            if (begin > instruction)
            {
                high = middle;
                continue;
            }
            found = table + (ulong)(int)cursor.UInt32();
            low = middle + 1;
        }
        return found;
    }

    private static FrameDescription? Read(ElfModule module, ulong place, ulong instruction)
    {
        if (Entry(module, place) is not { } own)
            return null;
        var cursor = new DwarfCursor(own.Bytes, own.Address);
        ulong common = own.Address - cursor.UInt32();
        if (Entry(module, common) is not { } shared || ReadCommon(shared.Bytes, shared.Address) is not { } cie)
            return null;
        ulong begin = cursor.Pointer(cie.Encoding, 0);
        ulong size = cursor.Pointer((byte)(cie.Encoding & 0x0f), 0);
        if (cie.IsAugmented)
            _ = cursor.Take(cursor.Unsigned());
        if (cursor.IsBroken || instruction < begin || instruction - begin >= size)
            return null;
        return cie.Description with { Begin = begin, Own = own.Bytes[(int)(cursor.Address - own.Address)..] };
    }

    private sealed record Cie(FrameDescription Description, byte Encoding, bool IsAugmented);

    private static Cie? ReadCommon(byte[] bytes, ulong address)
    {
        var cursor = new DwarfCursor(bytes, address);
        (uint id, byte version) = (cursor.UInt32(), cursor.Byte());
        if (id != 0 || version is not (1 or 3))
            return null;
        string augmentation = "";
        while (cursor.Byte() is > 0 and var letter)
            augmentation += (char)letter;
        (ulong codeUnit, long dataUnit) = (cursor.Unsigned(), cursor.Signed());
        ulong returns = version == 1 ? cursor.Byte() : cursor.Unsigned();
        byte encoding = 0;
        bool isAugmented = augmentation.StartsWith('z');
        if (isAugmented)
        {
            ulong size = cursor.Unsigned();
            ulong end = cursor.Address + size;
            foreach (char letter in augmentation[1..])
            {
                if (letter == 'R')
                    encoding = cursor.Byte();
                else if (letter == 'P')
                    _ = cursor.Pointer(cursor.Byte() is var own && (own & 0x80) != 0 ? (byte)(own & 0x7f) : own, 0);
                else if (letter == 'L')
                    _ = cursor.Byte();
            }
            if (end < cursor.Address)
                return null;
            _ = cursor.Take(end - cursor.Address);
        }
        else if (augmentation.Length > 0)
        {
            return null;
        }
        return cursor.IsBroken || codeUnit == 0 ? null
            : new(new(0, codeUnit, dataUnit, returns, augmentation.Contains('S', StringComparison.Ordinal), encoding, bytes[(int)(cursor.Address - address)..], []), encoding, isAugmented);
    }

    // A length, and as many bytes; an entry that needs 64 bits for it is not one of a library.
    private static (byte[] Bytes, ulong Address)? Entry(ElfModule module, ulong place)
    {
        byte[] length = new byte[sizeof(uint)];
        if (!module.TryRead(place, length))
            return null;
        uint count = new DwarfCursor(length, place).UInt32();
        byte[] bytes = new byte[count is >= 8 and <= LengthLimit ? count : 0];
        return bytes.Length > 0 && module.TryRead(place + sizeof(uint), bytes) ? (bytes, place + sizeof(uint)) : null;
    }
}
