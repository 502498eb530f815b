using System.Diagnostics;
using System.Runtime.InteropServices;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Benchmarks.Peers;

/// <summary>
/// Copies the used part of all GC segments of a running process once, into memory that was touched before: no reader of a heap
/// that wants one consistent moment can hold its target for less than about this.
/// </summary>
internal sealed unsafe partial class HeapCopy : IDisposable
{
    // The kernel moves at most 2 GB at once.
    private const nuint Most = 1 << 30;

    private readonly int _pid;
    private readonly MemoryRange[] _ranges;
    private readonly byte* _buffer;

    public HeapCopy(int pid)
    {
        _pid = pid;
        using (var data = DataTarget.AttachToProcess(pid, suspend: false))
        using (ClrRuntime runtime = EnumerateObjects.Create(data))
        {
            _ranges = [.. runtime.Heap.Segments.Select(segment => segment.ObjectRange)];
        }
        Bytes = _ranges.Sum(range => (long)range.Length);
        _buffer = (byte*)NativeMemory.Alloc((nuint)Bytes);
        NativeMemory.Fill(_buffer, (nuint)Bytes, 1);
    }

    /// <summary>Size of what is copied.</summary>
    public long Bytes { get; }

    /// <summary>Copies everything once and returns how long that took.</summary>
    public TimeSpan Run()
    {
        long start = Stopwatch.GetTimestamp();
        byte* to = _buffer;
        foreach (MemoryRange range in _ranges)
        {
            nuint done = 0;
            while (done < range.Length)
            {
                var local = new IoVector { Base = to + done, Length = nuint.Min((nuint)range.Length - done, Most) };
                var remote = local with { Base = (byte*)range.Start + done };
                nint read = ProcessVmReadV(_pid, &local, 1, &remote, 1, 0);
                if (read <= 0)
                    throw new InvalidOperationException($"the heap of process {_pid} could not be copied (error {Marshal.GetLastPInvokeError()})");
                done += (nuint)read;
            }
            to += range.Length;
        }
        return Stopwatch.GetElapsedTime(start);
    }

    public void Dispose() => NativeMemory.Free(_buffer);

    [LibraryImport("libc", EntryPoint = "process_vm_readv", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial nint ProcessVmReadV(int pid, IoVector* local, nuint localCount, IoVector* remote, nuint remoteCount, nuint flags);

    /// <summary><c>struct iovec</c>.</summary>
    private struct IoVector
    {
        public byte* Base;
        public nuint Length;
    }
}
