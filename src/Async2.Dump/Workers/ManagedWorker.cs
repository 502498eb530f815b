using System.Diagnostics;

namespace Async2.Dump.Workers;

/// <summary>
/// A worker on systems without posix_spawn: .NET starts it. A class of its own, because compiling any method that mentions <see cref="Process"/>
/// loads its library.
/// </summary>
internal sealed class ManagedWorker : WorkerProcess
{
    private readonly Process _process;

    private ManagedWorker(Process process) => _process = process;

    /// <summary>Starts it.</summary>
    /// <param name="args">The command line.</param>
    /// <param name="variables">Added to this process's environment: <c>NAME=value</c>.</param>
    public static ManagedWorker Start(string[] args, string[] variables)
    {
        ProcessStartInfo start = ToolProcess.StartInfo(args);
        foreach (string[] variable in variables.Select(variable => variable.Split('=', 2)))
            start.Environment[variable[0]] = variable[1];
        return new ManagedWorker(Process.Start(start)!);
    }

    /// <inheritdoc/>
    public override void Dispose() => _process.Dispose();

    /// <inheritdoc/>
    protected override void WaitForEnd() => _process.WaitForExit();

    /// <inheritdoc/>
    protected override int Collect() => _process.ExitCode;

    /// <summary>On Windows a console tells all processes of it, the worker as well.</summary>
    protected override void Ask()
    {
        if (!OperatingSystem.IsWindows())
            _ = NativeProcess.Signal(_process.Id, NativeProcess.SIGTERM);
    }

    /// <inheritdoc/>
    protected override void Kill() => _process.Kill();
}
