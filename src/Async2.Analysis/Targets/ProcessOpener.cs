using System.Diagnostics;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Targets;

/// <summary>Opens a live process passively: its memory is read from outside and no code runs in it.</summary>
internal static class ProcessOpener
{
    public static Target Open(int pid, TargetOptions options)
    {
        if (pid == Environment.ProcessId)
            throw new TargetException($"Process {pid} is this tool itself.", "dotnet-async2 ps   lists the other .NET processes.");
        if (!IsRunning(pid))
            throw NotRunning(pid, null);
        (DataTarget dataTarget, TargetOrigin origin) = Attach(pid, options.Freeze);
        try
        {
            return RuntimeOpener.Open(dataTarget, options, origin, NoRuntime(pid), ProcessOwner.IsCurrentUser(pid));
        }
        catch (Exception e)
        {
            origin.Freeze?.Dispose();
            if (e is TargetException)
                throw;
            throw IsRunning(pid)
                ? new TargetException($"Process {pid} could not be read: {e.Message}", "try again, or write a dump: dotnet-async2 dump collect " + pid, e)
                : NotRunning(pid, e);
        }
    }

    private static (DataTarget DataTarget, TargetOrigin Origin) Attach(int pid, FreezeMode mode)
    {
        ProcessFreeze? freeze = mode == FreezeMode.Full ? ProcessFreeze.TryStop(pid) : null;
        try
        {
            // Elsewhere than on Linux ClrMD does the stopping.
            bool suspend = mode == FreezeMode.Full && !OperatingSystem.IsLinux();
            DataTarget dataTarget = DataTarget.AttachToProcess(pid, suspend, RuntimeOpener.ReaderOptions());
            bool isRunning = mode == FreezeMode.Full && freeze is null && !suspend;
            return (dataTarget, new TargetOrigin { Pid = pid, Freeze = freeze, Problems = isRunning ? [CannotFreeze(pid)] : [] });
        }
        catch (Exception e)
        {
            freeze?.Dispose();
            throw Explain(pid, e);
        }
    }

    private static Problem CannotFreeze(int pid) => new(
        ProblemCodes.NotFrozen,
        $"process {pid} could not be stopped (a debugger holds it, or ptrace is not permitted): it was read while it ran, and chains that changed meanwhile may be torn");

    private static TargetException Explain(int pid, Exception e) => e switch
    {
        UnauthorizedAccessException or IOException when IsRunning(pid) => new TargetException(
            $"Process {pid} belongs to another user, or reading it is not permitted.",
            $"run as that user or with the capability SYS_PTRACE: sudo dotnet-async2 analyze {pid}", e),
        _ when !IsRunning(pid) => NotRunning(pid, e),
        _ => new TargetException($"Process {pid} could not be opened: {e.Message}", $"dotnet-async2 doctor {pid}   says what is in the way.", e),
    };

    private static TargetException NotRunning(int pid, Exception? e) => new(
        $"There is no running process {pid} (it may just have exited).", "dotnet-async2 ps   lists the .NET processes you may read.", e);

    private static TargetException NoRuntime(int pid) => new(
        $"Process {pid} has no .NET runtime loaded (a native program, or one compiled with Native AOT).",
        "dotnet-async2 ps   lists the .NET processes you may read.");

    private static bool IsRunning(int pid)
    {
        try
        {
            using var process = Process.GetProcessById(pid);
            return !process.HasExited;
        }
        catch (Exception e) when (e is ArgumentException or InvalidOperationException)
        {
            return false;
        }
        catch (System.ComponentModel.Win32Exception)
        {
            return true; // It is there, and not ours to ask.
        }
    }
}
