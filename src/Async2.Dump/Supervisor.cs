using System.Runtime.InteropServices;
using Async2.Analysis.Targets.Runtimes;
using Async2.Dump.Cli;
using Async2.Dump.Workers;

namespace Async2.Dump;

/// <summary>
/// Reads a target in a separate process. The runtime's data access library is native code that trusts its input: on
/// damaged data any call may crash, and nothing in its own process can prevent that. So the process that the user
/// started never loads it, and a crash of the worker becomes an error message and an exit code. While the worker
/// runs, its supervisor only waits: it does not even parse the command line, which would take as long as starting the worker.
/// </summary>
internal static class Supervisor
{
    private static readonly TimeSpan Beginning = TimeSpan.FromSeconds(10);

    // Signal and exit are handled together: each worker is asked to stop once, whether the signal comes before its start or after.
    private static readonly Lock Gate = new();
    private static WorkerProcess? _current;
    private static bool _wasAsked;

    private static bool WasAsked
    {
        get
        {
            lock (Gate)
                return _wasAsked;
        }
    }

    /// <summary>Runs a command line in a worker and returns its exit code; outputs are shared.</summary>
    public static int Run(string[] args)
    {
        // Before there is a worker, and between two: a signal is for the next one.
        using PosixSignalRegistration interrupt = Listen(PosixSignal.SIGINT), termination = Listen(PosixSignal.SIGTERM);
        WorkerResult ending = Read(args);
        return IsAnswer(ending) ? ending.Exit.Code : AfterFailure(args, ending);
    }

    private static WorkerResult Read(string[] args, string? told = null)
    {
        using WorkerProcess worker = WorkerProcess.Start(args, told);
        Follow(worker);
        new Thread(() => EndInTime(args, worker)) { IsBackground = true }.Start();
        WorkerExit exit = worker.Wait();
        Follow(null);
        return new(exit, worker.WasEnded);
    }

    // What signals are passed on to.
    private static void Follow(WorkerProcess? worker)
    {
        lock (Gate)
        {
            _current = worker;
            if (_wasAsked)
                worker?.AskToStop();
        }
    }

    private static bool IsAnswer(WorkerResult ending) => ending.Exit.Code is >= ExitCodes.Fine and <= ExitCodes.Partial or ExitCodes.Interrupted;

    private static int AfterFailure(string[] args, WorkerResult ending)
    {
        string target = ToolMain.Target(args) ?? "the target";
        int crashes = CrashRetry.Next(0, target);
        for (; crashes < CrashRetry.Limit && IsCrash(ending); crashes++)
        {
            Thread.Sleep(CrashRetry.PauseAfter(crashes));
            if (WasAsked)
                break;
            ending = Read(args, $"{DacCrash.Variable}={DacCrash.Value(crashes, ending.Exit.Signal!.Value)}");
            if (IsAnswer(ending))
                return ending.Exit.Code;
        }
        // If the worker was asked to stop, other errors of the target do not matter.
        return ToolMain.Fail(args, ending.WasTooLong ? WorkerFailure.TooLong(target)
            : WasAsked ? new OperationCanceledException() : WorkerFailure.Crashed(target, ending.Exit, crashes));
    }

    private static bool IsCrash(WorkerResult ending) => !ending.WasTooLong && !WasAsked && ending.Exit.IsCrash;

    // The first signal asks the worker to print what it has, a second one ends everything at once.
    private static PosixSignalRegistration Listen(PosixSignal signal) => PosixSignalRegistration.Create(signal, context =>
    {
        context.Cancel = true;
        lock (Gate)
        {
            if (!_wasAsked)
            {
                _wasAsked = true;
                _current?.AskToStop();
                return;
            }
        }
        Environment.Exit(ExitCodes.Interrupted);
    });

    // Damaged data can send the library into a loop as well as into a crash. Reading a dump has a time limit that even
    // a slow disk meets; a live process has none, and Ctrl-C ends that.
    private static void EndInTime(string[] args, WorkerProcess worker)
    {
        // Long before any limit; the command line need not be parsed until then.
        Thread.Sleep(Beginning);
        if (ToolMain.Target(args) is not { } target || !File.Exists(target))
            return;
        Thread.Sleep(WorkerFailure.TimeFor(target) - Beginning);
        worker.End();
    }

    /// <param name="Exit">How the worker ended.</param>
    /// <param name="WasTooLong">The supervisor killed it.</param>
    private readonly record struct WorkerResult(WorkerExit Exit, bool WasTooLong);
}
