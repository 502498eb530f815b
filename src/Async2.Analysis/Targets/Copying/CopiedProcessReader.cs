using System.Runtime.InteropServices;
using Async2.Analysis.Targets.Memory;
using Async2.Analysis.Targets.Processes;
using Async2.Analysis.Targets.Stopping;
using Microsoft.Diagnostics.Runtime;
using Microsoft.Diagnostics.Runtime.DataReaders.Implementation;

namespace Async2.Analysis.Targets.Copying;

/// <summary>
/// Reads a copied process that runs on: from the copy; memory that is not in it, and so does not change, from the process; and if
/// that has ended, from the files that it had mapped. Also reads a stopped process.
/// </summary>
/// <param name="copy">The copy; may be empty for a stopped process.</param>
/// <param name="freeze">Holds the process; null if it runs. Nothing more can be read once its time is up.</param>
internal sealed unsafe class CopiedProcessReader(ProcessCopy copy, ProcessFreeze? freeze = null) : MemoryReader, IDataReader, IThreadReader, IDisposable
{
    private const int PagesKept = 256;

    private readonly MemoryMapping[] _mappings = [.. copy.Mappings];
    private readonly MappedFiles _files = new(copy.Mappings, copy.View.Files);

    // Pages that are as they were when the process was stopped, by their number: pointers lead to a few of them again and again.
    private readonly byte[]?[] _pages = new byte[PagesKept][];
    private readonly ulong[] _kept = new ulong[PagesKept];

    /// <summary>The process has ended.</summary>
    public bool HasEnded { get; private set; }

    /// <summary>Memory of the process was requested after its end and is not available.</summary>
    public bool HasMissed { get; private set; }

    public string DisplayName => FormattableString.Invariant($"copy of process {copy.Pid}");

    public bool IsThreadSafe => false;

    public OSPlatform TargetPlatform => OSPlatform.Linux;

    public Architecture Architecture => RuntimeInformation.ProcessArchitecture;

    public int ProcessId => copy.Pid;

    public override int PointerSize => sizeof(nint);

    public override int Read(ulong address, Span<byte> buffer)
    {
        if (copy.Image.Read(address, buffer) is > 0 and var count)
            return count;
        if (freeze is { IsOver: true })
            return 0;
        if (copy.Old is { } old && old.Find(address) is { } segment)
            return ReadOld(old, segment, address, buffer);
        if (!HasEnded && ReadLive(address, buffer) is > 0 and var live)
            return live;
        return HasEnded ? ReadFile(address, buffer) : 0;
    }

    public bool GetThreadContext(uint threadID, uint contextFlags, Span<byte> context)
        => copy.Threads.TryGetValue(threadID, out byte[]? registers) && ThreadRegisters.TryFill(registers, Architecture, context);

    /// <summary>
    /// Mapped files, by the address of their first byte. A single-file program is mapped again for each module inside, from the
    /// middle of the file, and mostly below its own mapping.
    /// </summary>
    public IEnumerable<ModuleInfo> EnumerateModules() => copy.Mappings
        .Where(mapping => mapping.IsFile)
        .GroupBy(mapping => mapping.Path, StringComparer.Ordinal)
        .Select(image => ModuleInfo.TryCreate(this, image.OrderBy(mapping => mapping.Offset != 0).ThenBy(mapping => mapping.Start).First().Start, MemoryMapping.WithoutDeleted(image.Key)))
        .OfType<ModuleInfo>();

    public IEnumerable<uint> EnumerateOSThreadIds() => copy.Threads.Keys;

    public ulong GetThreadTeb(uint osThreadId) => 0;

    public void FlushCachedData()
    {
    }

    public void Dispose() => _files.Dispose();

    private int ReadFile(ulong address, Span<byte> buffer)
    {
        int read = _files.Find(address) is { } mapping ? _files.Read(mapping, address, buffer) : -1;
        HasMissed |= read < 0 && Find(address) is { IsReadable: true, IsOfKernel: false };
        return Math.Max(0, read);
    }

    private MemoryMapping? Find(ulong address) => AddressRanges.IndexOf<MemoryMapping>(_mappings, address) is >= 0 and var found ? _mappings[found] : null;

    // Private memory that is not in the copy did not exist then: its current content is of a later moment.
    private bool WasThere(ulong address, ref Span<byte> buffer)
    {
        if (copy.IsLive)
            return true;
        if (Find(address) is not { IsReadable: true, IsAnonymous: false, IsDoubleMapped: false } mapping)
            return false;
        buffer = buffer[..(int)Math.Min((ulong)buffer.Length, mapping.End - address)];
        return true;
    }

    // Up to the end of the page that an address is in.
    private int ReadOld(OldHeap old, OldSegment segment, ulong address, Span<byte> buffer)
    {
        ulong page = address & ~(PageMap.PageSize - 1);
        int slot = (int)(page / PageMap.PageSize % PagesKept);
        byte[] bytes = _pages[slot] ??= new byte[PageMap.PageSize];
        if (_kept[slot] != page)
        {
            _kept[slot] = 0;
            int read = HasEnded ? 0 : Copy(page, bytes);
            HasMissed |= HasEnded;
            bool isSame = read == bytes.Length && segment.IsSame(page, bytes);
            if (read < bytes.Length || !old.MayUse(page, isSame))
                return 0;
            _kept[slot] = isSame ? page : 0;
        }
        ReadOnlySpan<byte> rest = bytes.AsSpan((int)(address - page));
        int count = Math.Min(rest.Length, buffer.Length);
        rest[..count].CopyTo(buffer);
        return count;
    }

    private int ReadLive(ulong address, Span<byte> buffer) => WasThere(address, ref buffer) ? Copy(address, buffer) : 0;

    private int Copy(ulong address, Span<byte> buffer)
    {
        fixed (byte* start = buffer)
        {
            MemorySlice here = new((ulong)start, (nuint)buffer.Length), there = new(address, (nuint)buffer.Length);
            long read = MemoryCalls.Read(copy.Pid, &here, &there, 1);
            int error = read < 0 ? Marshal.GetLastPInvokeError() : 0;
            HasEnded |= error == MemoryCalls.NoSuchProcess;
            if (copy.IsLive && error == MemoryCalls.NotPermitted)
                throw new UnauthorizedAccessException();
            return (int)Math.Max(0, read);
        }
    }
}
