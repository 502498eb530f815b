using Async2.Analysis.Targets.Elf;

namespace Async2.Analysis.Targets.Dumps;

/// <summary>How big a dump is according to itself, so that one that was truncated is recognised before anything is read from it.</summary>
internal static class DumpExtent
{
    /// <summary>Null if it does not say, or is of an unknown kind.</summary>
    public static CoreExtent? Expected(Stream file)
    {
        file.Position = 0;
        if (MinidumpHeader.Streams(file) is not { } streams)
            return IsMinidump(file) ? new(file.Length + 1, IsWhole: false) : ElfCoreExtent.Expected(file);
        long end = streams.Select(stream => stream.Offset + (long)stream.Size).Append(MinidumpHeader.Size).Max();
        if (MinidumpHeader.Ranges(file, streams) is not { } ranges)
            return new(Math.Max(end, file.Length + 1), IsWhole: false);
        foreach (DumpRange range in ranges)
            end = Math.Max(end, (long)Math.Min(range.Offset, long.MaxValue / 2) + (long)Math.Min(range.Length, long.MaxValue / 2));
        return new(end, IsWhole: true);
    }

    private static bool IsMinidump(Stream file)
    {
        Span<byte> magic = stackalloc byte[4];
        file.Position = 0;
        int count = file.ReadAtLeast(magic, magic.Length, throwOnEndOfStream: false);
        file.Position = 0;
        return MinidumpHeader.IsMinidump(magic[..count]);
    }
}
