using System.Buffers.Binary;
using System.Text;

namespace Async2.Tests.Support.Drawing;

/// <summary>
/// A drawn ELF library with one exported contract: its file, and how it lies in memory once a loader moved it. Its data is elsewhere in
/// memory than in the file, so that the two cannot be confused.
/// </summary>
internal sealed class LibraryDrawing
{
    public const ulong Bias = 0x7f0000000000;
    public const ulong Head = Variables + 0x40;
    public const int Descriptor = 0x2200;

    private const int Table = 64;
    private const int Symbols = 0x200;
    private const int Strings = 0x400;
    private const int Hash = 0x600;
    private const int Relocations = 0x700;
    private const int Dynamic = 0x2000;
    private const int Pointers = 0x2300;
    private const int Variables = 0x2400;
    private const int Second = 0x2500;
    private const int Text = 0x4000;
    private const int SecondText = 0x6000;

    // Parts of the file: code, data, texts.
    private static readonly (int Offset, int Address, int Bytes)[] Segments = [(0, 0, 0x1000), (0x1000, 0x2000, 0x1000), (0x2000, Text, 0x3000)];

    private readonly byte[] _image = new byte[0x7000];

    public string Symbol { get; init; } = "DotNetAsync2ContractDescriptor";

    public string Json { get; init; } = "{\"baseline\":\"async2/unwinder-v4\",\"globals\":{\"TaskletSentinel\":[[1],\"pointer\"]}}";

    /// <summary>JSON of a second contract, which the variable <c>g_head</c> points to; null for none.</summary>
    public string? Behind { get; init; }

    public byte[] Magic { get; init; } = "DNCCDAC\0"u8.ToArray();

    public uint Flags { get; init; } = 1;

    public uint? JsonBytes { get; init; }

    public uint PointerCount { get; init; } = 2;

    /// <summary>DT_HASH in place of DT_GNU_HASH.</summary>
    public bool IsOld { get; init; }

    /// <summary>The file on disk: pointers are relocations.</summary>
    public byte[] File()
    {
        Draw();
        byte[] file = new byte[0x5000];
        foreach ((int offset, int address, int bytes) in Segments)
            _image.AsSpan(address, bytes).CopyTo(file.AsSpan(offset));
        return file;
    }

    /// <summary>From <see cref="Bias"/> on, pointers in their places.</summary>
    public byte[] Memory()
    {
        Draw();
        Number(Descriptor + 16, Bias + Text);
        Number(Descriptor + 32, Bias + Pointers);
        Number(Pointers + 8, Bias + Head);
        if (Behind is not null)
            DrawBehind(Encoding.UTF8.GetBytes(Behind));
        // As glibc's loader leaves them.
        for (int entry = Dynamic; BinaryPrimitives.ReadUInt64LittleEndian(_image.AsSpan(entry)) is not 0 and var tag; entry += 16)
        {
            if (tag is not (8 or 10))
                Number(entry + 8, Bias + BinaryPrimitives.ReadUInt64LittleEndian(_image.AsSpan(entry + 8)));
        }
        return _image;
    }

    /// <summary>From <see cref="Bias"/> on as the file has it: no loader has put any pointer.</summary>
    public byte[] Mapped()
    {
        Draw();
        return _image;
    }

    private void Draw()
    {
        Array.Clear(_image);
        ((ReadOnlySpan<byte>)[0x7f, (byte)'E', (byte)'L', (byte)'F', 2, 1, 1]).CopyTo(_image);
        Number(32, Table);
        BinaryPrimitives.WriteUInt16LittleEndian(_image.AsSpan(56), 4);
        for (int i = 0; i < Segments.Length; i++)
            Segment(i, 1, Segments[i].Offset, Segments[i].Address, Segments[i].Bytes);
        Segment(3, 2, 0x1000, Dynamic, 0x80);
        DrawSymbol(1, 1, defined: true, Descriptor);
        DrawSymbol(2, 1 + Symbol.Length + 1, defined: true, Head);
        Encoding.ASCII.GetBytes($"\0{Symbol}\0g_head\0").CopyTo(_image, Strings);
        DrawHash();
        Magic.CopyTo(_image, Descriptor);
        byte[] json = Encoding.UTF8.GetBytes(Json);
        json.CopyTo(_image, Text);
        Half(Descriptor + 8, Flags);
        Half(Descriptor + 12, JsonBytes ?? (uint)json.Length);
        Half(Descriptor + 24, PointerCount);
        Relocation(0, Descriptor + 16, 8, Text);
        Relocation(1, Descriptor + 32, 8, Pointers);
        Relocation(2, Pointers + 8, (2ul << 32) | 1, 0); // R_X86_64_64 of the second symbol
        (long Tag, ulong Value)[] tags =
        [
            (IsOld ? 4 : 0x6ffffef5, Hash), (5, Strings), (6, Symbols), (7, Relocations), (8, 3 * 24), (10, 0x200),
        ];
        for (int i = 0; i < tags.Length; i++)
        {
            Number(Dynamic + i * 16, (ulong)tags[i].Tag);
            Number(Dynamic + i * 16 + 8, tags[i].Value);
        }
    }

    private void DrawBehind(byte[] json)
    {
        Number((int)Head, Bias + Second);
        _image.AsSpan(Descriptor, 40).CopyTo(_image.AsSpan(Second));
        Half(Second + 12, (uint)json.Length);
        Number(Second + 16, Bias + SecondText);
        json.CopyTo(_image, SecondText);
    }

    // One bucket, and a filter that lets everything through.
    private void DrawHash()
    {
        uint[] table = IsOld ? [1, 3, 1, 0, 2, 0] : [1, 1, 1, 0, uint.MaxValue, uint.MaxValue, 1, GnuHash(Symbol) & ~1u, GnuHash("g_head") | 1];
        for (int i = 0; i < table.Length; i++)
            Half(Hash + i * 4, table[i]);
    }

    private static uint GnuHash(string name) => name.Aggregate(5381u, (hash, letter) => hash * 33 + letter);

    private void DrawSymbol(int index, int name, bool defined, ulong value)
    {
        Half(Symbols + index * 24, (uint)name);
        BinaryPrimitives.WriteUInt16LittleEndian(_image.AsSpan(Symbols + index * 24 + 6), defined ? (ushort)1 : (ushort)0);
        Number(Symbols + index * 24 + 8, value);
    }

    private void Segment(int index, uint type, int offset, int address, int bytes)
    {
        int at = Table + index * 56;
        Half(at, type);
        Number(at + 8, (ulong)offset);
        Number(at + 16, (ulong)address);
        Number(at + 32, (ulong)bytes);
    }

    private void Relocation(int index, int place, ulong info, int addend)
    {
        Number(Relocations + index * 24, (ulong)place);
        Number(Relocations + index * 24 + 8, info);
        Number(Relocations + index * 24 + 16, (ulong)addend);
    }

    private void Number(int at, ulong value) => BinaryPrimitives.WriteUInt64LittleEndian(_image.AsSpan(at), value);

    private void Half(int at, uint value) => BinaryPrimitives.WriteUInt32LittleEndian(_image.AsSpan(at), value);
}
