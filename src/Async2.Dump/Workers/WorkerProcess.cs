using System.Globalization;
using Async2.Analysis.Targets.Processes;

namespace Async2.Dump.Workers;

/// <summary>
/// The process in which a target is read: what its supervisor does to it, and what it does itself to be one. Whatever signals it holds
/// <see cref="_gate"/>, and so does whoever frees its pid: nobody signals a process that only got the same number.
/// </summary>
internal abstract class WorkerProcess : IDisposable
{
    private const int StandardError = 2;

    private readonly Lock _gate = new();
    private bool _hasEnded;

    /// <summary>This process is a worker.</summary>
    public static bool IsThisOne => OwnProcesses.Supervisor is not null;

    /// <summary>What a worker's environment has besides this process's own variables: <c>NAME=value</c>.</summary>
    public static string[] Variables =>
    [
        $"{OwnProcesses.SupervisorVariable}={Environment.ProcessId.ToString(CultureInfo.InvariantCulture)}",
        // Nobody wants a mini dump or a trace of the worker, whatever the user has set for his own programs.
        "DOTNET_DbgEnableMiniDump=0",
        "DOTNET_LTTng=0",
    ];

    /// <summary>It was ended because it took too long.</summary>
    public bool WasEnded { get; private set; }

    /// <summary>Starts a worker with a command line; its inputs and outputs are those of this process.</summary>
    /// <param name="args">The command line.</param>
    /// <param name="told">A variable besides those of every worker, <c>NAME=value</c>; null for none.</param>
    public static WorkerProcess Start(string[] args, string? told = null)
    {
        string[] variables = told is null ? Variables : [.. Variables, told];
        (string program, string[] arguments) = ToolProcess.CommandLine(args);
        return OperatingSystem.IsLinux() && NativeProcess.Start(program, arguments, variables) is > 0 and var pid
            ? new NativeWorker(pid)
            : ManagedWorker.Start(args, variables);
    }

    /// <summary>Called in the worker before it reads.</summary>
    /// <param name="quiet">Whatever native code says on standard error is not for the user. .NET speaks through a copy of it.</param>
    /// <param name="orphaned">Exit code when the supervisor has ended already.</param>
    public static void Enter(bool quiet, int orphaned)
    {
        if (!OperatingSystem.IsLinux())
            return;
        // When the supervisor is killed, a process that is held has to run on at once.
        if (!NativeProcess.EndWith(OwnProcesses.Supervisor!.Value))
            Environment.Exit(orphaned);
        if (quiet)
            NativeProcess.Silence(StandardError);
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

    /// <summary>Asks it to print what it has. Asked twice, it would end all at once.</summary>
    public void AskToStop()
    {
        lock (_gate)
        {
            if (!_hasEnded)
                Ask();
        }
    }

    /// <summary>Ends it, because it takes too long.</summary>
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

    /// <summary>Waits for its end; its pid is still its own.</summary>
    protected abstract void WaitForEnd();

    /// <summary>Frees its pid; the exit code as a shell gives it.</summary>
    protected abstract int Collect();

    /// <summary>Sends the signal that asks.</summary>
    protected abstract void Ask();

    /// <summary>Sends the signal that ends.</summary>
    protected abstract void Kill();
}
