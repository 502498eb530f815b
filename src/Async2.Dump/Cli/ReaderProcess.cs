using System.Runtime.InteropServices;
using Async2.Analysis.Targets;

namespace Async2.Dump.Cli;

/// <summary>What <see cref="Supervision"/> needs of Linux, so that the reader neither outlives its supervisor nor babbles.</summary>
internal static partial class ReaderProcess
{
    private const int PR_SET_PDEATHSIG = 1;
    private const int SIGKILL = 9;
    private const int SIGTERM = 15;
    private const int O_WRONLY = 1;
    private const int StandardError = 2;

    /// <summary>Called in the reader before it reads.</summary>
    /// <param name="quiet">Whatever native code says on standard error is not for the user. .NET speaks through a copy of it.</param>
    public static void Enter(bool quiet)
    {
        if (!OperatingSystem.IsLinux())
            return;
        // When the supervisor is killed, a process that is held has to run on at once.
        _ = Prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
        if (GetParent() != OwnProcesses.Supervisor)
            Environment.Exit(ExitCodes.Interrupted);
        if (quiet && Open("/dev/null", O_WRONLY) is var nowhere and >= 0)
            _ = Duplicate(nowhere, StandardError);
    }

    /// <summary>Asks the reader to print what it has.</summary>
    public static void AskToStop(int reader)
    {
        if (!OperatingSystem.IsWindows())
            _ = Kill(reader, SIGTERM);
    }

    [LibraryImport("libc", EntryPoint = "prctl")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int Prctl(int option, nuint a, nuint b, nuint c, nuint d);

    [LibraryImport("libc", EntryPoint = "getppid")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int GetParent();

    [LibraryImport("libc", EntryPoint = "kill")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int Kill(int pid, int signal);

    [LibraryImport("libc", EntryPoint = "open", StringMarshalling = StringMarshalling.Utf8)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int Open(string path, int flags);

    [LibraryImport("libc", EntryPoint = "dup2")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int Duplicate(int from, int to);
}
