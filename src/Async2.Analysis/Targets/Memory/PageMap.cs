using System.Globalization;
using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace Async2.Analysis.Targets.Memory;

/// <summary>
/// Which pages of a process are populated: <c>/proc/PID/pagemap</c> (proc(5), Documentation/admin-guide/mm/pagemap.rst).
/// The frame numbers in it are hidden from most users, these flags are not.
/// </summary>
internal sealed class PageMap : IDisposable
{
    public const ulong PageSize = 4096;

    private const ulong Present = 1ul << 63;
    private const ulong Swapped = 1ul << 62;
    private const ulong OfFile = 1ul << 61;
    private const int EntriesAtOnce = 1 << 16;

    // A machine with another page size has another pagemap format: everything is included there.
    private readonly SafeFileHandle? _file;
    private PageScan? _scan;
    private ulong[]? _entries;

    public PageMap(int pid)
    {
        if (Environment.SystemPageSize != (int)PageSize)
            return;
        try
        {
            _file = File.OpenHandle(string.Create(CultureInfo.InvariantCulture, $"/proc/{pid}/pagemap"));
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // Sandboxes have no such file: everything is included.
        }
    }

    /// <summary>Has the kernel say all that will be asked, if it can: by ranges, which is faster than by pages.</summary>
    /// <param name="windows">What will be asked about, and what lies between; by address.</param>
    public void Prepare(IEnumerable<MemorySlice> windows) => _scan = _file is null ? null : PageScan.Of(_file, windows);

    /// <summary>Adds the populated ranges of a mapping, or of a part of it.</summary>
    /// <param name="part">Whole pages.</param>
    /// <param name="ownOnly">Leave out pages that are still the file's.</param>
    /// <param name="runs">Receives the ranges.</param>
    public void AddRuns(MemorySlice part, bool ownOnly, List<MemorySlice> runs)
    {
        if (_scan is not null)
        {
            _scan.AddRuns(part, ownOnly, runs);
            return;
        }
        ulong start = 0, end = part.Start + part.Length;
        for (ulong page = part.Start; page < end;)
        {
            ReadOnlySpan<ulong> entries = Read(page, (end - page) / PageSize);
            if (entries.IsEmpty)
            {
                Close(runs, start == 0 ? page : start, end);
                return;
            }
            foreach (ulong entry in entries)
            {
                bool has = (entry & (Present | Swapped)) != 0 && !(ownOnly && (entry & OfFile) != 0);
                if (has && start == 0)
                    start = page;
                else if (!has && start != 0)
                    start = Close(runs, start, page);
                page += PageSize;
            }
        }
        if (start != 0)
            Close(runs, start, end);
    }

    public void Dispose() => _file?.Dispose();

    private static ulong Close(List<MemorySlice> runs, ulong start, ulong end)
    {
        runs.Add(new(start, (nuint)(end - start)));
        return 0;
    }

    // Empty if unknown.
    private ReadOnlySpan<ulong> Read(ulong address, ulong pages)
    {
        if (_file is null)
            return [];
        Span<ulong> entries = (_entries ??= new ulong[EntriesAtOnce]).AsSpan(0, (int)Math.Min(pages, EntriesAtOnce));
        try
        {
            int bytes = RandomAccess.Read(_file, MemoryMarshal.AsBytes(entries), (long)(address / PageSize) * sizeof(ulong));
            return entries[..(bytes / sizeof(ulong))];
        }
        catch (IOException)
        {
            return [];
        }
    }
}
