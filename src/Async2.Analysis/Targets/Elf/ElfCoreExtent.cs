namespace Async2.Analysis.Targets.Elf;

/// <summary>How far an ELF core reaches by its own word.</summary>
/// <param name="Bytes">End of its last segment.</param>
/// <param name="IsWhole">False when the list of segments is itself cut, so that more may be missing.</param>
internal readonly record struct CoreExtent(long Bytes, bool IsWhole);

/// <summary>
/// How many bytes an ELF core says it has, from its program headers, so that a dump which was truncated (disk full, copy
/// interrupted) is recognised before anything is read from it.
/// </summary>
internal static class ElfCoreExtent
{
    /// <summary>Null if the file is not a 64-bit ELF, or its values are impossible.</summary>
    public static CoreExtent? Expected(Stream file)
    {
        if (ElfProgramHeaders.Read(file) is not { } headers)
            return null;
        long end = headers.End;
        foreach (ElfSegment segment in headers.Segments)
        {
            if (segment.Bytes > 0)
                end = Math.Max(end, (long)Math.Min(segment.Offset, long.MaxValue / 2) + (long)Math.Min(segment.Bytes, long.MaxValue / 2));
        }
        return new(end, IsWhole: headers.End <= file.Length);
    }
}
