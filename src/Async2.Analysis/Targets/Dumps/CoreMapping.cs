using System.IO.MemoryMappedFiles;
using Async2.Analysis.Targets.Elf;
using Async2.Analysis.Targets.Memory;
using Microsoft.Win32.SafeHandles;

namespace Async2.Analysis.Targets.Dumps;

/// <summary>Maps an ELF core or a minidump, so that its memory is read in place from the page cache.</summary>
internal static class CoreMapping
{
    /// <summary>Null if the file is not a core that can be mapped: then it is read in other ways.</summary>
    public static MemoryImage? TryMap(string path)
    {
        try
        {
            using FileStream file = File.OpenRead(path);
            if (MinidumpHeader.Streams(file) is { } streams)
                return MinidumpHeader.Ranges(file, streams) is { Count: > 0 } ranges ? Map(file, ranges) : null;
            file.Position = 0;
            return ElfProgramHeaders.Read(file) is { } headers
                ? Map(file, headers.Segments.Where(segment => segment.Type == ElfSegment.Load).Select(segment => new DumpRange(segment.Address, segment.Bytes, segment.Offset))) : null;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException)
        {
            return null;
        }
    }

    private static unsafe MemoryImage Map(FileStream file, IEnumerable<DumpRange> parts)
    {
        // Memory beyond the end of the file must not be touched: the kernel sends a signal then.
        ulong length = (ulong)file.Length;
        var mapped = MemoryMappedFile.CreateFromFile(file, null, 0, MemoryMappedFileAccess.Read, HandleInheritability.None, leaveOpen: true);
        SafeMemoryMappedViewHandle view = mapped.CreateViewAccessor(0, 0, MemoryMappedFileAccess.Read).SafeMemoryMappedViewHandle;
        byte* start = null;
        view.AcquirePointer(ref start);
        var ranges = new List<ImageRange>();
        foreach (DumpRange part in parts)
        {
            if (part.Offset < length)
                ranges.Add(new(part.Start, Math.Min(part.Length, length - part.Offset), (nint)(start + part.Offset)));
        }
        return new MemoryImage(ranges, new View(mapped, view));
    }

    private sealed class View(MemoryMappedFile file, SafeMemoryMappedViewHandle view) : IDisposable
    {
        public void Dispose()
        {
            view.ReleasePointer();
            view.Dispose();
            file.Dispose();
        }
    }
}
