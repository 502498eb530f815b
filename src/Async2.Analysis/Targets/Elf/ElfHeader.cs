using System.Buffers.Binary;
using System.Runtime.InteropServices;

namespace Async2.Analysis.Targets.Elf;

/// <summary>The header of an ELF file (ELF gABI, e_ident, e_type, e_machine).</summary>
/// <param name="Type">The kind of file: <see cref="Core"/> for a dump.</param>
/// <param name="Machine">The processor.</param>
internal readonly record struct ElfHeader(ushort Type, ushort Machine)
{
    /// <summary>Size of a 64-bit header, in bytes.</summary>
    public const int Size = 64;

    /// <summary>ET_CORE.</summary>
    public const ushort Core = 4;

    /// <summary>The processor in .NET's terms; its number if there is none.</summary>
    public string MachineName => Machine switch
    {
        3 => "x86",
        40 => "arm",
        62 => "x64",
        183 => "arm64",
        243 => "riscv64",
        258 => "loongarch64",
        22 => "s390x",
        21 => "ppc64le",
        _ => FormattableString.Invariant($"a processor with the number {Machine}"),
    };

    public bool IsForThisProcessor => string.Equals(MachineName, RuntimeInformation.ProcessArchitecture.ToString(), StringComparison.OrdinalIgnoreCase);

    public static bool IsElf(ReadOnlySpan<byte> start) => start.Length >= 4 && BinaryPrimitives.ReadUInt32BigEndian(start) == 0x7f454c46;

    /// <summary>Null if the bytes are not an ELF file, or too few.</summary>
    public static ElfHeader? Read(ReadOnlySpan<byte> start)
    {
        if (!IsElf(start) || start.Length < Size)
            return null;
        const byte bigEndian = 2;
        bool isBig = start[5] == bigEndian;
        return new(Number(start[16..], isBig), Number(start[18..], isBig));
    }

    private static ushort Number(ReadOnlySpan<byte> bytes, bool isBig)
        => isBig ? BinaryPrimitives.ReadUInt16BigEndian(bytes) : BinaryPrimitives.ReadUInt16LittleEndian(bytes);
}
