using System.Buffers.Binary;

namespace Async2.Analysis.Targets.Pe;

/// <summary>
/// What the headers of a program or library of Windows say about it (Microsoft's PE Format). Read from its beginning, which is the same in the file and in memory.
/// </summary>
/// <param name="Machine">The processor, IMAGE_FILE_MACHINE_*.</param>
/// <param name="Stamp">Made when it was linked: with the size, which build it is.</param>
/// <param name="Size">Bytes in memory.</param>
/// <param name="Base">The address that it was linked for.</param>
/// <param name="IsManaged">Its code is IL.</param>
/// <param name="Exports">Where its table of exports is, from its beginning; 0 if there is none.</param>
/// <param name="Debug">The same of what names its symbols.</param>
/// <param name="Functions">The same of the table of its functions.</param>
/// <param name="FunctionsSize">Bytes of that table; 0 if there is none.</param>
/// <param name="Sections">What is where in its file.</param>
internal sealed record PeHeader(ushort Machine, uint Stamp, uint Size, ulong Base, bool IsManaged, uint Exports, uint Debug, uint Functions, uint FunctionsSize, IReadOnlyList<PeSection> Sections)
{
    private const ushort Amd64 = 0x8664, Arm64 = 0xaa64;
    private const ushort Plus = 0x20b;
    private const uint Signature = 0x0000_4550;

    // Of the file header and the optional header that follows it.
    private const int SectionCountAt = 6, StampAt = 8, OptionalSizeAt = 20, OptionalAt = 24;
    private const int BaseAt = OptionalAt + 24, SizeAt = OptionalAt + 56, DirectoriesAt = OptionalAt + 112;
    private const int OfFunctions = 3 * 8, OfDebug = 6 * 8, OfManaged = 14 * 8;
    private const int SectionSize = 40;

    /// <summary>It is for a 64-bit processor that .NET runs on.</summary>
    public bool Is64Bit => Machine is Amd64 or Arm64;

    /// <summary>Null if it is not a 64-bit program or library of Windows.</summary>
    /// <param name="start">Its first bytes, some hundreds at least.</param>
    public static PeHeader? Read(ReadOnlySpan<byte> start)
    {
        if (MachineOf(start, out int at) is not (> 0 and var machine) || start.Length < at + DirectoriesAt + OfManaged + 8 || UInt16(start, at + OptionalAt) != Plus)
            return null;
        var sections = new List<PeSection>();
        int section = at + OptionalAt + UInt16(start, at + OptionalSizeAt);
        for (int i = 0; i < UInt16(start, at + SectionCountAt) && section + SectionSize <= start.Length; i++, section += SectionSize)
            sections.Add(new(UInt32(start, section + 12), UInt32(start, section + 8), UInt32(start, section + 20), UInt32(start, section + 16)));
        return new((ushort)machine, UInt32(start, at + StampAt), UInt32(start, at + SizeAt), BinaryPrimitives.ReadUInt64LittleEndian(start[(at + BaseAt)..]),
            UInt32(start, at + DirectoriesAt + OfManaged) != 0, UInt32(start, at + DirectoriesAt), UInt32(start, at + DirectoriesAt + OfDebug),
            UInt32(start, at + DirectoriesAt + OfFunctions), UInt32(start, at + DirectoriesAt + OfFunctions + 4), sections);
    }

    /// <summary>The processor that a program or library is for, of 32 bits as well; 0 if it is none.</summary>
    public static int MachineOf(ReadOnlySpan<byte> start) => MachineOf(start, out _);

    private static int MachineOf(ReadOnlySpan<byte> start, out int at)
    {
        const int newHeaderAt = 0x3c;
        at = start.Length > newHeaderAt + 4 && start.StartsWith("MZ"u8) ? (int)Math.Min(UInt32(start, newHeaderAt), int.MaxValue) : -1;
        return at > 0 && at <= start.Length - OptionalAt && UInt32(start, at) == Signature ? UInt16(start, at + 4) : 0;
    }

    private static ushort UInt16(ReadOnlySpan<byte> bytes, int at) => BinaryPrimitives.ReadUInt16LittleEndian(bytes[at..]);

    private static uint UInt32(ReadOnlySpan<byte> bytes, int at) => BinaryPrimitives.ReadUInt32LittleEndian(bytes[at..]);
}

/// <summary>A section: so many bytes of the file stand at this address.</summary>
/// <param name="Address">From the beginning of the image.</param>
/// <param name="Size">Bytes in memory.</param>
/// <param name="Offset">In the file.</param>
/// <param name="FileBytes">Bytes in the file.</param>
internal readonly record struct PeSection(uint Address, uint Size, uint Offset, uint FileBytes);
