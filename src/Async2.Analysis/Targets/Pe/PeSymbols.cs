using System.Buffers.Binary;

namespace Async2.Analysis.Targets.Pe;

/// <summary>What names the PDB of an image, as the linker wrote it (PE Format, "Debug Directory").</summary>
internal static class PeSymbols
{
    private const int EntrySize = 28;
    private const int EntryLimit = 16;
    private const int TypeAt = 12, SizeAt = 16, AddressAt = 20;
    private const uint CodeView = 2;
    private const int Longest = 1024;

    /// <summary>The record; empty if there is none.</summary>
    /// <param name="read">Reads the image.</param>
    /// <param name="header">Its headers.</param>
    public static byte[] Find(PeRead read, PeHeader header)
    {
        Span<byte> entry = stackalloc byte[EntrySize];
        for (uint at = header.Debug, left = EntryLimit; header.Debug != 0 && left > 0 && read(at, entry); at += EntrySize, left--)
        {
            if (BinaryPrimitives.ReadUInt32LittleEndian(entry[TypeAt..]) != CodeView || BinaryPrimitives.ReadUInt32LittleEndian(entry[SizeAt..]) is not (> 0 and <= Longest and var size))
                continue;
            byte[] record = new byte[size];
            return read(BinaryPrimitives.ReadUInt32LittleEndian(entry[AddressAt..]), record) && record.AsSpan().StartsWith("RSDS"u8) ? record : [];
        }
        return [];
    }
}
