using System.Runtime.InteropServices;
using Async2.Analysis.Targets.Memory;

namespace Async2.Analysis.Targets.Stopping;

/// <summary>The requests of ptrace(2) that are needed to hold a thread, to see its registers, and to let it go.</summary>
internal static unsafe partial class Ptrace
{
    private const nint PTRACE_DETACH = 17;
    private const nint PTRACE_GETSIGINFO = 0x4202;
    private const nint PTRACE_GETREGSET = 0x4204;
    private const nint PTRACE_SEIZE = 0x4206;
    private const nint PTRACE_INTERRUPT = 0x4207;
    private const int PTRACE_EVENT_STOP = 128;
    private const nint NT_PRSTATUS = 1;
    private const int WNOHANG = 1;

    // EPERM, ENOSYS.
    private const int NotPermitted = 1;
    private const int NoSuchCall = 38;

    // siginfo_t: its size, and where si_signo and si_code are, in words.
    private const int SignalInfoWords = 32;
    private const int SignalAt = 0;
    private const int CodeAt = 2;

    // Also for a thread that is not the first of its process.
    private const int WALL = 0x40000000;

    /// <summary>Whether a filter (seccomp) keeps this process from calling ptrace at all: nobody has the highest thread id.</summary>
    public static bool IsForbidden => Request(PTRACE_SEIZE, int.MaxValue, 0, 0) != 0 && Marshal.GetLastPInvokeError() is NotPermitted or NoSuchCall;

    public static bool Seize(int thread) => Request(PTRACE_SEIZE, thread, 0, 0) == 0;

    public static void Interrupt(int thread) => _ = Request(PTRACE_INTERRUPT, thread, 0, 0);

    /// <summary>
    /// Lets a thread go. If a signal came before the request to stop, it stopped at that: the signal is passed on. Without it a program would miss
    /// what it was sent, and coreclr, which suspends a thread by a signal that it sends once, could wait for it forever.
    /// </summary>
    public static void Detach(int thread) => _ = Request(PTRACE_DETACH, thread, 0, SignalOf(thread));

    /// <summary>Whether a thread has reported that it stopped; once for each stop, and never if somebody else took the report.</summary>
    public static bool HasReported(int thread) => Wait(thread, null, WNOHANG | WALL) == thread;

    /// <summary>The general registers of a thread that is held; null if it has ended.</summary>
    public static byte[]? Registers(int thread)
    {
        byte[] registers = new byte[ThreadRegisters.Size];
        fixed (byte* start = registers)
        {
            var buffer = new MemorySlice((ulong)start, (nuint)registers.Length);
            return Request(PTRACE_GETREGSET, thread, NT_PRSTATUS, (nint)(&buffer)) == 0 ? registers : null;
        }
    }

    // 0 for a thread that stopped because of us: then the code has the event.
    private static int SignalOf(int thread)
    {
        int* info = stackalloc int[SignalInfoWords];
        return Request(PTRACE_GETSIGINFO, thread, 0, (nint)info) == 0 && info[CodeAt] >> 8 != PTRACE_EVENT_STOP ? info[SignalAt] : 0;
    }

    [LibraryImport("libc", EntryPoint = "ptrace", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial nint Request(nint request, int pid, nint address, nint data);

    [LibraryImport("libc", EntryPoint = "waitpid", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int Wait(int pid, int* status, int options);
}
