using System.Globalization;
using Async2.Analysis.Targets.Processes;
using Async2.Analysis.Targets.Runtimes;

namespace Async2.Dump.Workers;

/// <summary>
/// The process in which a target is read: its control by the supervisor, and its own setup. Code that sends it signals holds
/// <see cref="_gate"/>, and so does code that frees its pid: no signal reaches another process that got the same pid.
/// </summary>
internal abstract class WorkerProcess : IDisposable
{
    private const int StandardError = 2;

    private readonly Lock _gate = new();
    private bool _hasEnded;

    /// <summary>This process is a worker.</summary>
    public static bool IsThisOne => OwnProcesses.Supervisor is not null;

    /// <summary>Environment variables of a worker, in addition to this process's own: <c>NAME=value</c>.</summary>
    public static string[] Variables =>
    [
        $"{OwnProcesses.SupervisorVariable}={Environment.ProcessId.ToString(CultureInfo.InvariantCulture)}",
        // No mini dump or trace of the worker, whatever the user has set for other programs.
        "DOTNET_DbgEnableMiniDump=0",
        "DOTNET_LTTng=0",
    ];

    /// <summary>It was killed because it took too long.</summary>
    public bool WasEnded { get; private set; }

    /// <summary>Starts a worker with a command line; it shares this process's inputs and outputs.</summary>
    /// <param name="args">The command line.</param>
    /// <param name="told">One more environment variable, <c>NAME=value</c>; null for none.</param>
    public static WorkerProcess Start(string[] args, string? told = null)
    {
        string[] variables = told is null ? Variables : [.. Variables, told];
        (string program, string[] arguments) = ToolProcess.CommandLine(args);
        return OperatingSystem.IsLinux() && NativeProcess.Start(program, arguments, variables) is > 0 and var pid
            ? new NativeWorker(pid)
            : ManagedWorker.Start(args, variables);
    }

    /// <summary>Called in the worker before it reads.</summary>
    /// <param name="quiet">Output of native code on standard error is hidden from the user. .NET writes to a duplicate.</param>
    /// <param name="orphaned">Exit code if the supervisor has already ended.</param>
    public static void Enter(bool quiet, int orphaned)
    {
        if (!OperatingSystem.IsLinux())
            return;
        DacLoop.Leave = () => WorkerEnd.Leave(DacLoop.ExitCode);
        // If the supervisor is killed, a stopped process has to run on at once.
        if (!NativeProcess.EndWith(OwnProcesses.Supervisor!.Value))
            Environment.Exit(orphaned);
        if (quiet)
            NativeProcess.RedirectToNull(StandardError);
    }

    /// <summary>Waits for its end.</summary>
    public WorkerExit Wait()
    {
        WaitForEnd();
        lock (_gate)
        {
            _hasEnded = true;
            return new WorkerExit(Collect());
        }
    }

    /// <summary>Asks it to print what it has. Asked twice, it would exit at once.</summary>
    public void AskToStop()
    {
        lock (_gate)
        {
            if (!_hasEnded)
                Ask();
        }
    }

    /// <summary>Kills it, because it takes too long.</summary>
    public void End()
    {
        lock (_gate)
        {
            if (_hasEnded)
                return;
            WasEnded = true;
            Kill();
        }
    }

    /// <inheritdoc/>
    public abstract void Dispose();

    /// <summary>Waits for its end; its pid is not freed yet.</summary>
    protected abstract void WaitForEnd();

    /// <summary>Frees its pid; the exit code as a shell reports it.</summary>
    protected abstract int Collect();

    /// <summary>Sends the signal that asks it to stop.</summary>
    protected abstract void Ask();

    /// <summary>Sends the signal that kills it.</summary>
    protected abstract void Kill();
}
