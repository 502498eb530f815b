using System.Runtime.InteropServices;

namespace Async2.Dump.Workers;

/// <summary>
/// How a worker ends that has answered: at once. What a process does at its exit otherwise runs code of the data access library, too; a crash there would have the supervisor
/// read the target again and print the answer twice.
/// </summary>
internal static partial class WorkerEnd
{
    private const nint ThisProcess = -1;

    // The runtime writes the end of such a trace when its process ends in good order.
    private const string Tracing = "DOTNET_EnableEventPipe";

    /// <summary>Has this process end, once its code returns, with nothing but the handlers of its exit that there are by now, unless it is traced. All outputs have to be flushed.</summary>
    /// <param name="code">Its exit code.</param>
    public static void Prepare(int code)
    {
        if (Environment.GetEnvironmentVariable(Tracing) != "1")
            AppDomain.CurrentDomain.ProcessExit += (_, _) => Leave(code);
    }

    /// <summary>Ends this process at once; nothing else of it runs.</summary>
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
