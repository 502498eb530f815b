using System.Diagnostics;
using System.Globalization;
using Async2.Analysis.Targets.Processes;

namespace Async2.Dump.Cli;

/// <summary>The process in which a target is read: what its supervisor does to it, and what it does itself to be one.</summary>
internal sealed class WorkerProcess : IDisposable
{
    private const int StandardError = 2;

    // Where there is no posix_spawn, .NET starts it.
    private readonly Process? _managed;
    private readonly int _pid;
    private int _asked;

    private WorkerProcess(int pid, Process? managed) => (_pid, _managed) = (pid, managed);

    /// <summary>What a reader's environment has besides this process's own variables: <c>NAME=value</c>.</summary>
    public static string[] Variables =>
    [
        $"{OwnProcesses.SupervisorVariable}={Environment.ProcessId.ToString(CultureInfo.InvariantCulture)}",
        // A mini dump of the reader or a trace of it is nobody's wish, whatever the user has set for his own programs.
        "DOTNET_DbgEnableMiniDump=0",
        "DOTNET_LTTng=0",
    ];

    /// <summary>It was ended because it took too long.</summary>
    public bool WasEnded { get; private set; }

    /// <summary>Starts a reader with a command line; its inputs and outputs are those of this process.</summary>
    /// <param name="args">The command line.</param>
    /// <param name="told">A variable besides those of every reader, <c>NAME=value</c>; null for none.</param>
    public static WorkerProcess Start(string[] args, string? told = null)
    {
        string[] variables = told is null ? Variables : [.. Variables, told];
        (string program, string[] arguments) = ToolProcess.CommandLine(args);
        return OperatingSystem.IsLinux() && NativeProcess.Start(program, arguments, variables) is > 0 and var pid
            ? new WorkerProcess(pid, null)
            : StartManaged(args, variables);
    }

    /// <summary>Called in the reader before it reads.</summary>
    /// <param name="quiet">Whatever native code says on standard error is not for the user. .NET speaks through a copy of it.</param>
    public static void Enter(bool quiet)
    {
        if (!OperatingSystem.IsLinux())
            return;
        // When the supervisor is killed, a process that is held has to run on at once.
        if (!NativeProcess.EndWith(OwnProcesses.Supervisor!.Value))
            Environment.Exit(ExitCodes.Interrupted);
        if (quiet)
            NativeProcess.Silence(StandardError);
    }

    /// <summary>Waits for its end; the exit code as a shell gives it.</summary>
    public int Wait() => _managed is null ? NativeProcess.Wait(_pid) : WaitManaged();

    // By itself: whoever is compiled with it loads the library.
    private int WaitManaged()
    {
        _managed!.WaitForExit();
        return _managed.ExitCode;
    }

    /// <summary>Asks it to print what it has; false when it was asked before.</summary>
    public bool AskToStop()
    {
        if (Interlocked.Exchange(ref _asked, 1) != 0)
            return false;
        if (!OperatingSystem.IsWindows())
            _ = NativeProcess.Signal(_pid, NativeProcess.SIGTERM);
        return true;
    }

    /// <summary>Ends it, because it takes too long.</summary>
    public void End()
    {
        WasEnded = true;
        if (_managed is null)
            _ = NativeProcess.Signal(_pid, NativeProcess.SIGKILL);
        else
            _managed.Kill();
    }

    /// <inheritdoc/>
    public void Dispose() => _managed?.Dispose();

    private static WorkerProcess StartManaged(string[] args, string[] variables)
    {
        ProcessStartInfo start = ToolProcess.StartInfo(args);
        foreach (string[] variable in variables.Select(variable => variable.Split('=', 2)))
            start.Environment[variable[0]] = variable[1];
        Process process = Process.Start(start)!;
        return new WorkerProcess(process.Id, process);
    }
}
