using System.Runtime.InteropServices;
using Async2.Analysis.Model;
using Async2.Analysis.Targets.Elf;

namespace Async2.Analysis.Targets.Dumps;

/// <summary>The kind of a file by its first bytes.</summary>
/// <param name="IsElf">It is an ELF file.</param>
/// <param name="Rejection">Why it is not a dump that can be read, as the end of a sentence; null if it may be one.</param>
/// <param name="Fix">What to do about it; <c>FILE</c> stands for the file.</param>
/// <param name="IsMinidump">It is a minidump.</param>
internal readonly record struct DumpFormat(bool IsElf, string? Rejection = null, string? Fix = null, bool IsMinidump = false);

/// <summary>Recognises dumps and the files that people pass by mistake, by their magic bytes.</summary>
internal static class DumpFormats
{
    private static string CollectFix => "write a new one: " + HostCommands.Current.CollectDump("PID");
    private static string NameFix => $"name a core dump, or the pid or name of a running process: {HostCommands.Current.ListProcesses}   lists them.";

    /// <summary>The number of bytes to check.</summary>
    public const int MagicSize = ElfHeader.Size;

    /// <param name="magic">The first bytes of the file; fewer than <see cref="MagicSize"/> only if it has no more.</param>
    public static DumpFormat Recognize(ReadOnlySpan<byte> magic)
    {
        if (magic.IsEmpty)
            return new(false, "is empty.", "was the disk full when the dump was written? " + CollectFix);
        if (ElfHeader.IsElf(magic))
            return Elf(magic);
        if (MinidumpHeader.IsMinidump(magic))
            return new(false, IsMinidump: true);
        if (IsMachO(magic))
            return new(false);
        if (magic.StartsWith("MZ"u8))
            return new(false, "is a program or library of Windows, not a dump.", NameFix);
        if (magic.StartsWith("PAGEDU64"u8) || magic.StartsWith("PAGEDUMP"u8))
            return new(false, "is a dump of a whole Windows machine, not of a process.", CollectFix);
        return Archive(magic) is { } unpack
            ? new(false, "is a compressed file, not a dump.", $"unpack it first: {unpack}")
            : new(false, "is not a dump: it starts neither like an ELF core nor like a minidump.", NameFix);
    }

    /// <summary>Why a minidump of a processor cannot be read; null if it can.</summary>
    /// <param name="processor">PROCESSOR_ARCHITECTURE_* of winnt.h.</param>
    public static DumpFormat? RejectionOf(ushort processor)
    {
        (string name, Architecture? known) = processor switch
        {
            0 => ("x86", Architecture.X86),
            5 => ("arm", Architecture.Arm),
            9 => ("x64", Architecture.X64),
            12 => ("arm64", Architecture.Arm64),
            _ => ((string, Architecture?))(FormattableString.Invariant($"an unknown processor ({processor})"), null),
        };
        return known == RuntimeInformation.ProcessArchitecture ? null : OfAnother(name);
    }

    private static DumpFormat OfAnother(string name)
    {
        string own = RuntimeInformation.ProcessArchitecture.ToString().ToLowerInvariant();
        return new(true, $"is a dump of another processor: it is of {name}, and this tool runs on {own}.", $"run {HostCommands.Current.Name} on a machine with {name}.");
    }

    private static DumpFormat Elf(ReadOnlySpan<byte> magic)
    {
        if (ElfHeader.Read(magic) is not { } header)
            return new(true, FormattableString.Invariant($"is truncated: it has {magic.Length} bytes, and the header of a dump alone has {ElfHeader.Size}."), "copy the whole file again, or " + CollectFix);
        if (header.Type != ElfHeader.Core)
            return new(true, $"is an ELF {Kind(header.Type)}, not a core dump.", NameFix);
        return header.IsForThisProcessor ? new(true) : OfAnother(header.MachineName);
    }

    private static string Kind(ushort type) => type switch
    {
        1 => "object file",
        2 or 3 => "program or library",
        _ => FormattableString.Invariant($"file of the unknown kind {type}"),
    };

    private static bool IsMachO(ReadOnlySpan<byte> magic)
        => magic.Length >= 4 && magic[1..4].SequenceEqual((ReadOnlySpan<byte>)[0xfa, 0xed, 0xfe]) && magic[0] is 0xce or 0xcf;

    private static string? Archive(ReadOnlySpan<byte> magic)
    {
        if (magic.StartsWith((ReadOnlySpan<byte>)[0x1f, 0x8b]))
            return "gunzip --stdout FILE > core.dmp";
        if (magic.StartsWith((ReadOnlySpan<byte>)[0x28, 0xb5, 0x2f, 0xfd]))
            return "zstd -d FILE -o core.dmp";
        if (magic.StartsWith("PK"u8))
            return "unzip FILE";
        if (magic.StartsWith("BZh"u8))
            return "bunzip2 --stdout FILE > core.dmp";
        if (magic.StartsWith((ReadOnlySpan<byte>)[0x04, 0x22, 0x4d, 0x18]))
            return "lz4 -d FILE core.dmp";
        if (magic.StartsWith((ReadOnlySpan<byte>)[(byte)'7', (byte)'z', 0xbc, 0xaf, 0x27, 0x1c]))
            return "7z x FILE";
        if (magic.StartsWith("MSCF"u8))
            return "expand FILE -F:* . (Windows), or cabextract FILE";
        return magic.StartsWith((ReadOnlySpan<byte>)[0xfd, (byte)'7', (byte)'z', (byte)'X', (byte)'Z']) ? "xz --decompress --stdout FILE > core.dmp" : null;
    }
}
