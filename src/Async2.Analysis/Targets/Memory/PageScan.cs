using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace Async2.Analysis.Targets.Memory;

/// <summary>
/// The populated ranges of a process, all at once (PAGEMAP_SCAN, since Linux 6.7; Documentation/admin-guide/mm/pagemap.rst): a server has a thousand mappings, and
/// to be asked about each of them would keep it stopped for longer.
/// </summary>
internal sealed unsafe partial class PageScan
{
    // _IOWR('f', 16, struct pm_scan_arg).
    private const nuint PAGEMAP_SCAN = 0xC060_6610;
    private const ulong IsFile = 1 << 2;
    private const ulong IsPresent = 1 << 3;
    private const ulong IsSwapped = 1 << 4;
    private const int RegionsAtOnce = 1024;

    private static volatile bool _isUnknown;

    // By address.
    private readonly List<Region> _found = [];

    private PageScan()
    {
    }

    /// <summary>Asks; null if this kernel does not say.</summary>
    /// <param name="file">The process's pagemap.</param>
    /// <param name="windows">Whole pages, by address.</param>
    public static PageScan? Of(SafeFileHandle file, IEnumerable<MemorySlice> windows)
    {
        var scan = new PageScan();
        return !_isUnknown && windows.All(window => scan.TryAdd(file, window)) ? scan : null;
    }

    /// <summary>Adds the populated ranges of a part of what was asked about.</summary>
    /// <param name="part">Whole pages.</param>
    /// <param name="ownOnly">Leave out pages that are still the file's.</param>
    /// <param name="runs">Receives the ranges.</param>
    public void AddRuns(MemorySlice part, bool ownOnly, List<MemorySlice> runs)
    {
        int first = runs.Count;
        ulong end = part.Start + part.Length;
        Span<Region> regions = CollectionsMarshal.AsSpan(_found);
        for (int i = Math.Max(0, AddressRanges.IndexBehind(regions, part.Start) - 1); i < regions.Length && regions[i].Start < end; i++)
        {
            (ulong from, ulong to) = (Math.Max(regions[i].Start, part.Start), Math.Min(regions[i].End, end));
            if (from >= to || (ownOnly && (regions[i].Categories & IsFile) != 0))
                continue;
            if (runs.Count > first && runs[^1] is var last && last.Start + last.Length == from)
                runs[^1] = new(last.Start, (nuint)(to - last.Start));
            else
                runs.Add(new(from, (nuint)(to - from)));
        }
    }

    private bool TryAdd(SafeFileHandle file, MemorySlice window)
    {
        ulong end = window.Start + window.Length;
        Region* regions = stackalloc Region[RegionsAtOnce];
        for (ulong start = window.Start; start < end;)
        {
            Arguments arguments = new()
            {
                Size = (ulong)sizeof(Arguments), Start = start, End = end, Regions = (ulong)regions, RegionCount = RegionsAtOnce,
                Any = IsPresent | IsSwapped, Returned = IsFile | IsPresent | IsSwapped,
            };
            int count = Control(file, PAGEMAP_SCAN, &arguments);
            // It gets on, or it says that it cannot.
            if (count < 0 || arguments.WalkEnd <= start)
                return !(_isUnknown = true);
            for (int i = 0; i < count; i++)
                _found.Add(regions[i]);
            start = arguments.WalkEnd;
        }
        return true;
    }

    [LibraryImport("libc", EntryPoint = "ioctl")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int Control(SafeFileHandle file, nuint request, Arguments* arguments);

    /// <summary><c>struct page_region</c>.</summary>
    [StructLayout(LayoutKind.Sequential)]
    private readonly record struct Region(ulong Start, ulong End, ulong Categories) : IAddressRange;

    /// <summary><c>struct pm_scan_arg</c>.</summary>
    [StructLayout(LayoutKind.Sequential)]
    private struct Arguments
    {
        public ulong Size, Flags, Start, End, WalkEnd, Regions, RegionCount, MaxPages, Inverted, All, Any, Returned;
    }
}
