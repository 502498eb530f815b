using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using Async2.Analysis.Targets.Processes;
using Async2.Analysis.Targets.Runtimes;
using Async2.Dump.Workers;

namespace Async2.Dump.Processes;

/// <summary>
/// Reads a process in a separate worker process. A process that is read while it runs can end or change at any moment, and
/// the runtime's data access library sometimes crashes then; a list must survive that.
/// </summary>
internal static class IsolatedProbe
{
    /// <summary>The command that starts the worker.</summary>
    public const string Command = "look-into";

    /// <summary>Longer than <see cref="ProcessProbe"/> takes by itself: only a worker that hangs is killed.</summary>
    private static readonly TimeSpan Timeout = TimeSpan.FromSeconds(15);

    /// <summary>Reads the process; if it cannot be read, the row says why.</summary>
    public static ProcessRow At(RunningProcess process)
    {
        ProcessRow unread = ProcessProbe.Unread(process);
        ProcessStartInfo start = ToolProcess.StartInfo([Command, process.Pid.ToString(CultureInfo.InvariantCulture)]);
        (start.RedirectStandardOutput, start.RedirectStandardError) = (true, true);
        using Process reader = Process.Start(start)!;
        Task<string> answer = reader.StandardOutput.ReadToEndAsync();
        reader.ErrorDataReceived += (_, _) => { };
        reader.BeginErrorReadLine();
        if (!reader.WaitForExit(Timeout))
        {
            reader.Kill();
            return unread with { Reason = "it could not be read in time" };
        }
        return Parse(answer.Result) ?? unread with { Reason = Reason(new WorkerExit(reader.ExitCode)) };
    }

    private static string Reason(WorkerExit end) => end.Signal is { } signal ? DacCrash.Text("it", signal) + ": try again" : "it changed or ended while it was read";

    /// <summary>The row that a worker printed; null if there is none.</summary>
    public static ProcessRow? Parse(string answer)
    {
        try
        {
            return JsonSerializer.Deserialize(answer, ProcessJson.Default.ProcessRow);
        }
        catch (JsonException)
        {
            return null;
        }
    }
}
