using System.Buffers.Binary;

namespace Async2.Tests.BadInput;

/// <summary>Changes memory in a core dump.</summary>
internal static class CoreMemory
{
    private const uint LoadSegment = 1;
    private const int ProgramHeaderSize = 56;

    /// <summary>Writes a pointer.</summary>
    /// <param name="path">The core, which is changed.</param>
    /// <param name="address">Where, in the process.</param>
    /// <param name="value">What.</param>
    public static void WritePointer(string path, ulong address, ulong value)
    {
        using FileStream file = File.Open(path, FileMode.Open, FileAccess.ReadWrite);
        byte[] start = new byte[64];
        file.ReadExactly(start);
        byte[] headers = new byte[BinaryPrimitives.ReadUInt16LittleEndian(start.AsSpan(56)) * ProgramHeaderSize];
        file.Position = BinaryPrimitives.ReadInt64LittleEndian(start.AsSpan(32));
        file.ReadExactly(headers);
        for (int at = 0; at < headers.Length; at += ProgramHeaderSize)
        {
            ReadOnlySpan<byte> header = headers.AsSpan(at, ProgramHeaderSize);
            ulong offset = BinaryPrimitives.ReadUInt64LittleEndian(header[8..]), begin = BinaryPrimitives.ReadUInt64LittleEndian(header[16..]), size = BinaryPrimitives.ReadUInt64LittleEndian(header[32..]);
            if (BinaryPrimitives.ReadUInt32LittleEndian(header) != LoadSegment || address < begin || address + sizeof(ulong) > begin + size)
                continue;
            byte[] bytes = new byte[sizeof(ulong)];
            BinaryPrimitives.WriteUInt64LittleEndian(bytes, value);
            file.Position = (long)(offset + address - begin);
            file.Write(bytes);
            return;
        }
        Assert.Fail($"the core does not have {address:x}");
    }
}
