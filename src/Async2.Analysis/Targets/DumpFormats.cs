namespace Async2.Analysis.Targets;

/// <summary>What the first bytes of a file say it is.</summary>
/// <param name="IsElf">An ELF file, probably a core.</param>
/// <param name="Complaint">Why it is no dump that can be read, as the end of a sentence; null when it may be one.</param>
/// <param name="Cure">What to do about it.</param>
internal readonly record struct DumpFormat(bool IsElf, string? Complaint = null, string? Cure = null);

/// <summary>Recognises dumps and the files that people pass by mistake, by their magic bytes.</summary>
internal static class DumpFormats
{
    public static DumpFormat Recognize(ReadOnlySpan<byte> magic)
    {
        if (magic.IsEmpty)
            return new(false, "is empty.", "was the disk full when the dump was written? write a new one: dotnet-async2 dump collect PID");
        if (magic.StartsWith("\x7f"u8) && magic.Length >= 4 && magic[1..4].SequenceEqual("ELF"u8))
            return new(true);
        if (magic.StartsWith("MDMP"u8) || IsMachO(magic))
            return new(false);
        return Archive(magic) is { } unpack
            ? new(false, "is a compressed file, not a dump.", $"unpack it first: {unpack}")
            : new(false, "is not a dump: it starts neither like an ELF core nor like a minidump.", "name a core dump, a pid or a process name.");
    }

    private static bool IsMachO(ReadOnlySpan<byte> magic)
        => magic.Length >= 4 && magic[1..4].SequenceEqual((ReadOnlySpan<byte>)[0xfa, 0xed, 0xfe]) && magic[0] is 0xce or 0xcf;

    private static string? Archive(ReadOnlySpan<byte> magic)
    {
        if (magic.StartsWith((ReadOnlySpan<byte>)[0x1f, 0x8b]))
            return "gunzip FILE";
        if (magic.StartsWith((ReadOnlySpan<byte>)[0x28, 0xb5, 0x2f, 0xfd]))
            return "zstd -d FILE";
        if (magic.StartsWith("PK"u8))
            return "unzip FILE";
        if (magic.StartsWith("BZh"u8))
            return "bunzip2 FILE";
        return magic.StartsWith((ReadOnlySpan<byte>)[0xfd, (byte)'7', (byte)'z', (byte)'X', (byte)'Z']) ? "unxz FILE" : null;
    }
}
