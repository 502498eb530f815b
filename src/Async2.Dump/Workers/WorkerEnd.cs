using System.Runtime.InteropServices;

namespace Async2.Dump.Workers;

/// <summary>
/// How a worker ends that has answered: at once. What a process does at its exit otherwise runs code of the data access library, too; a crash there would have the supervisor
/// read the target again and print the answer twice.
/// </summary>
internal static partial class WorkerEnd
{
    private const nint ThisProcess = -1;

    /// <summary>Ends this process without running anything else in it. All outputs have to be flushed.</summary>
    /// <param name="code">Its exit code.</param>
    public static void Leave(int code)
    {
        if (OperatingSystem.IsWindows())
            Terminate(ThisProcess, code);
        else
            Exit(code);
    }

    [LibraryImport("libc", EntryPoint = "_exit")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial void Exit(int code);

    [LibraryImport("kernel32", EntryPoint = "TerminateProcess")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static partial bool Terminate(nint process, int code);
}
