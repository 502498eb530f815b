using System.Diagnostics;
using System.Text;
using Async2.Analysis.Targets.Runtimes;
using Async2.Dump.Workers;

namespace Async2.Dump.Watching;

/// <summary>
/// Asks a process that reads the target, this tool started again with the same command line, for one look after the other. The runtime's library may crash
/// it: then that look has failed, and another process answers for the next one.
/// </summary>
/// <param name="arguments">The command line.</param>
internal sealed class LookSource(string[] arguments) : ILookSource
{
    private readonly Lock _gate = new();
    private Process? _reader;
    private bool _isOver;
    private int _crashes;
    private TimeSpan _spentBefore;

    /// <inheritdoc/>
    public TimeSpan Spent
    {
        get
        {
            lock (_gate)
                return Environment.CpuUsage.TotalTime + _spentBefore + SpentByReader();
        }
    }

    /// <inheritdoc/>
    public LookResult Look()
    {
        Process reader;
        lock (_gate)
        {
            if (_isOver)
                return LookResult.Over;
            // The thread that starts it has to live as long as it does: the kernel ends it with that thread.
            reader = _reader ??= Start();
        }
        try
        {
            reader.StandardInput.BaseStream.WriteByte(LookFrame.Request);
            reader.StandardInput.BaseStream.Flush();
        }
        catch (IOException)
        {
            // It has just ended: it will not answer.
        }
        return LookFrame.Read(reader.StandardOutput.BaseStream) is { } answer ? ResultOf(answer) : Crashed(reader);
    }

    /// <inheritdoc/>
    public void Stop()
    {
        lock (_gate)
        {
            _isOver = true;
            // In the middle of a look nobody waits for its end: a process that it holds runs on when it is killed.
            if (_reader is { HasExited: false })
                _reader.Kill();
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        Stop();
        _reader?.WaitForExit();
        _reader?.Dispose();
    }

    private Process Start()
    {
        ProcessStartInfo start = ToolProcess.StartInfo(arguments);
        // All three: .NET gives a terminal back its echo while a child may use it.
        start.RedirectStandardInput = start.RedirectStandardOutput = start.RedirectStandardError = true;
        foreach (string[] variable in WorkerProcess.Variables.Select(variable => variable.Split('=', 2)))
            start.Environment[variable[0]] = variable[1];
        if (_crashes > 0)
            start.Environment[DacCrash.Variable] = DacCrash.Value(Math.Min(_crashes, CrashRetry.Limit - 1), 0);
        Process reader = Process.Start(start)!;
        reader.ErrorDataReceived += (_, _) => { };
        reader.BeginErrorReadLine();
        return reader;
    }

    // Of a process that has ended it may be unknown.
    private TimeSpan SpentByReader()
    {
        try
        {
            return _reader?.TotalProcessorTime ?? TimeSpan.Zero;
        }
        catch (Exception e) when (e is InvalidOperationException or System.ComponentModel.Win32Exception)
        {
            return TimeSpan.Zero;
        }
    }

    private LookResult ResultOf(LookFrame answer)
    {
        if (answer.Kind == LookKind.Model)
        {
            _crashes = 0;
            return new() { Snapshot = answer.Bytes };
        }
        string[] parts = Encoding.UTF8.GetString(answer.Bytes).Split('\0', 2);
        return new() { Failure = parts[0], Fix = parts.ElementAtOrDefault(1), HasEnded = answer.Kind == LookKind.Ended };
    }

    private LookResult Crashed(Process reader)
    {
        reader.WaitForExit();
        lock (_gate)
        {
            if (_isOver)
                return LookResult.Over;
            _spentBefore += SpentByReader();
            var end = new WorkerExit(reader.ExitCode);
            reader.Dispose();
            _reader = null;
            _crashes++;
            return new() { Failure = end.IsKill ? "the process that reads was killed, probably because this machine has too little memory" : DacCrash.Text("it", end.Signal) };
        }
    }
}

/// <summary>Where looks come from; tests have others.</summary>
internal interface ILookSource : IDisposable
{
    /// <summary>Processor time that all looks have taken, what is done with them included.</summary>
    TimeSpan Spent { get; }

    /// <summary>Takes a look; waits for it.</summary>
    LookResult Look();

    /// <summary>Ends the look that is being taken, on any thread; there are no more.</summary>
    void Stop();
}

/// <summary>What came of a look.</summary>
internal sealed record LookResult
{
    /// <summary>Nobody wants it any more.</summary>
    public static LookResult Over { get; } = new() { Failure = "stopped" };

    /// <summary>The process has ended.</summary>
    public static LookResult Ended { get; } = new() { Failure = "it has ended", HasEnded = true };

    /// <summary>What was read, as the bytes of a snapshot file; null if nothing was.</summary>
    public byte[]? Snapshot { get; init; }

    /// <summary>Why nothing was read.</summary>
    public string? Failure { get; init; }

    /// <summary>What to do about it; null if trying again is all.</summary>
    public string? Fix { get; init; }

    /// <summary>There is no process any more.</summary>
    public bool HasEnded { get; init; }
}
