namespace Async2.Analysis.Targets.Elf;

/// <summary>The size of an ELF core according to its headers.</summary>
/// <param name="Bytes">End of its last segment.</param>
/// <param name="IsWhole">False if the list of segments is itself truncated, so that more may be missing.</param>
internal readonly record struct CoreExtent(long Bytes, bool IsWhole);

/// <summary>
/// The size of an ELF core according to its program headers, so that a truncated dump (disk full, copy
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
