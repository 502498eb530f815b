using System.Buffers.Binary;
using System.Runtime.InteropServices;

namespace Async2.Tests.Support.Drawing;

/// <summary>A drawn 64-bit ELF file: a header, program headers behind it, and whatever else a test puts there.</summary>
internal sealed class ElfImage
{
    public const int HeaderSize = 64;
    public const int ProgramHeaderSize = 56;

    private readonly List<(uint Type, ulong Offset, ulong Size)> _segments = [];
    private readonly SortedDictionary<int, byte[]> _content = [];

    public static ushort OwnProcessor => RuntimeInformation.ProcessArchitecture == Architecture.Arm64 ? (ushort)183 : (ushort)62;

    public ushort Type { get; init; } = 4;

    public ushort Machine { get; init; } = OwnProcessor;

    /// <summary>What the header says instead of the true number of program headers.</summary>
    public ushort? Count { get; init; }

    /// <summary>Where the header says that the program headers are.</summary>
    public ulong Table { get; init; } = HeaderSize;

    /// <summary>Where the header says that the section headers are.</summary>
    public ulong Sections { get; init; }

    public ElfImage Segment(uint type, ulong offset, ulong size)
    {
        _segments.Add((type, offset, size));
        return this;
    }

    public ElfImage Content(int offset, byte[] bytes)
    {
        _content[offset] = bytes;
        return this;
    }

    public byte[] ToBytes()
    {
        int size = HeaderSize + _segments.Count * ProgramHeaderSize;
        byte[] file = new byte[_content.Select(c => c.Key + c.Value.Length).Append(size).Max()];
        ((ReadOnlySpan<byte>)[0x7f, (byte)'E', (byte)'L', (byte)'F', 2, 1, 1]).CopyTo(file);
        BinaryPrimitives.WriteUInt16LittleEndian(file.AsSpan(16), Type);
        BinaryPrimitives.WriteUInt16LittleEndian(file.AsSpan(18), Machine);
        BinaryPrimitives.WriteUInt64LittleEndian(file.AsSpan(32), Table);
        BinaryPrimitives.WriteUInt64LittleEndian(file.AsSpan(40), Sections);
        BinaryPrimitives.WriteUInt16LittleEndian(file.AsSpan(56), Count ?? (ushort)_segments.Count);
        for (int i = 0; i < _segments.Count; i++)
        {
            Span<byte> header = file.AsSpan(HeaderSize + i * ProgramHeaderSize);
            BinaryPrimitives.WriteUInt32LittleEndian(header, _segments[i].Type);
            BinaryPrimitives.WriteUInt64LittleEndian(header[8..], _segments[i].Offset);
            BinaryPrimitives.WriteUInt64LittleEndian(header[32..], _segments[i].Size);
        }
        foreach ((int offset, byte[] bytes) in _content)
            bytes.CopyTo(file, offset);
        return file;
    }
}
