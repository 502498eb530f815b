using System.Runtime.InteropServices;

namespace Async2.Analysis.Targets;

/// <summary>The three requests of ptrace(2) that are needed to hold a thread and let it go.</summary>
internal static partial class Ptrace
{
    private const nint PTRACE_DETACH = 17;
    private const nint PTRACE_SEIZE = 0x4206;
    private const nint PTRACE_INTERRUPT = 0x4207;

    public static bool Seize(int thread) => Request(PTRACE_SEIZE, thread, 0, 0) == 0;

    public static void Interrupt(int thread) => _ = Request(PTRACE_INTERRUPT, thread, 0, 0);

    public static void Detach(int thread) => _ = Request(PTRACE_DETACH, thread, 0, 0);

    [LibraryImport("libc", EntryPoint = "ptrace", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial nint Request(nint request, int pid, nint address, nint data);
}
