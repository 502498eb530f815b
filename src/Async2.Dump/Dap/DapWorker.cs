using System.Diagnostics;
using Async2.Analysis.Targets.Runtimes;
using Async2.Dump.Workers;

namespace Async2.Dump.Dap;

/// <summary>The process that reads targets: this tool, started again with pipes.</summary>
internal sealed class DapWorker : IDisposable
{
    private readonly Process _process;

    private DapWorker(Process process) => _process = process;

    /// <summary>Its standard input.</summary>
    public Stream Input => _process.StandardInput.BaseStream;

    /// <summary>Its standard output.</summary>
    public Stream Output => _process.StandardOutput.BaseStream;

    /// <summary>It was killed by this process.</summary>
    public bool WasEnded { get; private set; }

    /// <summary>Starts it. The calling thread has to live as long: the worker ends with it.</summary>
    /// <param name="crash">The previous worker's crash, as value of <see cref="DacCrash.Variable"/>; null for none.</param>
    public static DapWorker Start(string? crash)
    {
        ProcessStartInfo start = ToolProcess.StartInfo([DapProcess.Command]);
        start.RedirectStandardInput = start.RedirectStandardOutput = true;
        foreach (string[] variable in WorkerProcess.Variables.Select(variable => variable.Split('=', 2)))
            start.Environment[variable[0]] = variable[1];
        if (crash is not null)
            start.Environment[DacCrash.Variable] = crash;
        return new DapWorker(Process.Start(start)!);
    }

    /// <summary>Closes its input.</summary>
    public void CloseInput()
    {
        try
        {
            _process.StandardInput.Close();
        }
        catch (IOException)
        {
            // It has already ended.
        }
    }

    /// <summary>Kills it.</summary>
    public void End()
    {
        WasEnded = true;
        _process.Kill();
    }

    /// <summary>Waits for its end.</summary>
    public WorkerExit Wait()
    {
        _process.WaitForExit();
        return new WorkerExit(_process.ExitCode);
    }

    /// <inheritdoc/>
    public void Dispose() => _process.Dispose();
}
