using System.Globalization;
using System.Runtime.InteropServices;
using Async2.Analysis.Targets.Files;
using Microsoft.Win32.SafeHandles;

namespace Async2.Analysis.Targets.Memory;

/// <summary>Linux calls for copying another process: process_vm_readv(2), mmap(2), madvise(2).</summary>
internal static unsafe partial class MemoryCalls
{
    /// <summary>ESRCH: the process no longer exists.</summary>
    public const int NoSuchProcess = 3;

    /// <summary>EPERM: ptrace(2) says under which conditions.</summary>
    public const int NotPermitted = 1;

    // ENOSYS: returned by some seccomp filters.
    private const int NoSuchCall = 38;

    private const int PROT_READ = 1;
    private const int PROT_WRITE = 2;
    private const int MAP_PRIVATE = 2;
    private const int MAP_ANONYMOUS = 0x20;
    private const int MAP_NORESERVE = 0x4000;

    // Since Linux 5.14; older kernels answer EINVAL.
    private const int MADV_POPULATE_WRITE = 23;
    private const int MADV_HUGEPAGE = 14;

    /// <summary>Address space of this process, zero and unpopulated until written; 0 if there is none.</summary>
    public static nint Reserve(ulong bytes)
    {
        nint start = Map(0, (nuint)bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        return start == -1 ? 0 : start;
    }

    public static void Release(nint start, ulong bytes) => _ = Unmap(start, (nuint)bytes);

    /// <summary>Requests pages of 2 MB, which are faster to write.</summary>
    public static void PreferHugePages(nint start, ulong bytes) => _ = MAdvise(start, (nuint)bytes, MADV_HUGEPAGE);

    /// <summary>Populates whole pages, so that later writes cause no page faults.</summary>
    public static void Populate(nint start, ulong bytes)
    {
        if (MAdvise(start, (nuint)bytes, MADV_POPULATE_WRITE) == 0)
            return;
        for (ulong offset = 0; offset < bytes; offset += PageMap.PageSize)
            *(byte*)(start + (nint)offset) = 0;
    }

    /// <summary>
    /// Copies ranges of another process; returns the bytes before the first unreadable one, or -1 for none. If a
    /// seccomp filter forbids the call (in containers), the process's memory file is used, which is slower and needs the same rights.
    /// </summary>
    public static long Read(int pid, MemorySlice* here, MemorySlice* there, int count)
    {
        long read = ReadProcess(pid, here, (nuint)count, there, (nuint)count, 0);
        if (read >= 0 || Marshal.GetLastPInvokeError() is not (NotPermitted or NoSuchCall))
            return read;
        return ReadFile(pid, here, there, count);
    }

    /// <summary>Whether a seccomp filter forbids process_vm_readv: no process has the highest process id.</summary>
    public static bool IsReadForbidden
    {
        get
        {
            byte one;
            MemorySlice here = new((ulong)&one, 1), there = new((ulong)&one, 1);
            return ReadProcess(int.MaxValue, &here, 1, &there, 1, 0) < 0 && Marshal.GetLastPInvokeError() is NotPermitted or NoSuchCall;
        }
    }

    /// <summary>The same through the process's memory file. The file may be open for reading while an address is not: only the former is a matter of rights.</summary>
    internal static long ReadFile(int pid, MemorySlice* here, MemorySlice* there, int count)
    {
        using SafeFileHandle? memory = LinuxFiles.OpenWithoutWaiting(string.Create(CultureInfo.InvariantCulture, $"/proc/{pid}/mem"));
        if (memory is null)
        {
            Marshal.SetLastPInvokeError(NotPermitted);
            return -1;
        }
        long total = 0;
        for (int i = 0; i < count; i++)
        {
            for (nuint done = 0; done < there[i].Length;)
            {
                nint read = ReadAt(memory, (byte*)here[i].Start + done, there[i].Length - done, (long)(there[i].Start + done));
                if (read <= 0)
                    return total > 0 ? total : read;
                done += (nuint)read;
                total += read;
            }
        }
        return total;
    }

    [LibraryImport("libc", EntryPoint = "pread", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial nint ReadAt(SafeFileHandle file, byte* here, nuint length, long offset);

    [LibraryImport("libc", EntryPoint = "process_vm_readv", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial nint ReadProcess(int pid, MemorySlice* here, nuint hereCount, MemorySlice* there, nuint thereCount, nuint flags);

    [LibraryImport("libc", EntryPoint = "mmap", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial nint Map(nint address, nuint bytes, int protection, int flags, int file, nint offset);

    [LibraryImport("libc", EntryPoint = "munmap", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int Unmap(nint address, nuint bytes);

    [LibraryImport("libc", EntryPoint = "madvise", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int MAdvise(nint address, nuint bytes, int advice);
}
