using System.Globalization;
using Async2.Analysis.Model;
using Async2.Analysis.Targets.Contract;
using Async2.Analysis.Targets.Processes;
using Microsoft.Diagnostics.NETCore.Client;

namespace Async2.Analysis.Targets.Dumps;

/// <summary>Why no dump was written, as far as it is visible from outside the process.</summary>
internal static class DumpFailure
{
    /// <summary>Describes an error of the diagnostics channel.</summary>
    /// <param name="pid">The process.</param>
    /// <param name="path">The requested path of the dump.</param>
    /// <param name="folder">The folder in which the process was to write it, as seen from here.</param>
    /// <param name="exception">What happened.</param>
    public static TargetException Explain(int pid, string path, string folder, Exception exception) => exception switch
    {
        ServerNotAvailableException => NoAnswer(pid, exception),
        UnauthorizedAccessException => new($"no permission to talk to process {pid}, or to write to {path}", "run as the user of that process, or with sudo", exception),
        _ when exception.Message.Contains("Permission denied", StringComparison.Ordinal) && OperatingSystem.IsLinux() => MayNotWrite(pid, path, folder, exception),
        _ => new($"process {pid} could not write a dump to {path}: {FirstLine(exception.Message)}", FixFor(folder), exception),
    };

    // The process writes it, with its own rights.
    private static TargetException MayNotWrite(int pid, string path, string folder, Exception exception)
    {
        string user = ProcFiles.Status(pid, "Uid")?.Split('\t') is [_, var effective, ..] ? " (" + effective + ")" : "";
        return new(
            $"process {pid} could not write a dump to {path}: its user{user} may not write to {folder}",
            $"name a file where it may, -o {Path.Join(ProcFiles.TemporaryFolder(pid), Path.GetFileName(path))}, or let it write to {folder}; {HostCommands.Current.Read(Text(pid))} reads it without a dump",
            exception);
    }

    // createdump's message continues with the duration.
    private static string FirstLine(string text) => text.Split('\n', 2)[0].TrimEnd();

    /// <summary>There is no process, or it has ended meanwhile.</summary>
    public static TargetException Ended(int pid, Exception exception)
        => new($"there is no running process {Text(pid)}, or it has just ended", HostCommands.Current.ListProcesses + " lists the .NET processes you may read", exception) { HasEnded = true };

    /// <summary>The process reported a dump, but there is none.</summary>
    public static TargetException NoFile(int pid, string path) => new(
        $"process {pid} reported success, but wrote no dump to {path}: createdump crashed",
        $"look at the process's own standard error for createdump's messages; {HostCommands.Current.Read("PID")} reads it without a dump");

    /// <summary>The process was asked, and did nothing for too long.</summary>
    public static TargetException NoAnswer(int pid, string path, TimeSpan waited)
    {
        bool isStopped = OperatingSystem.IsLinux() && ProcFiles.Status(pid, "State") is ['T' or 't', ..];
        string seconds = waited.TotalSeconds.ToString("0", CultureInfo.InvariantCulture);
        return new TargetException(
            $"process {pid} was asked for a dump and wrote nothing for {seconds} seconds: " + (isStopped ? "it is stopped (SIGSTOP, or a debugger)" : "its diagnostics thread is stuck"),
            (isStopped ? $"let it run on with kill -CONT {pid}; or have" : "have") + $" the dump written from outside: gcore -o {path} {pid}; or read the process without a dump: {HostCommands.Current.Read(Text(pid))}");
    }

    private static TargetException NoAnswer(int pid, Exception exception)
    {
        if (ProcessDirectory.Here.Describe(pid) is null)
            return new TargetException($"there is no running process {pid}", HostCommands.Current.ListProcesses + " lists the .NET processes you may read", exception);
        if (ProcessDirectory.Here.IsNative(pid))
            return new TargetException($"process {pid} has no .NET runtime loaded", HostCommands.Current.ListProcesses + " lists the .NET processes you may read", exception);
        return new TargetException(
            $"process {pid} does not answer on the .NET diagnostics channel: it runs with DOTNET_EnableDiagnostics=0, has another TMPDIR, or belongs to another user or container",
            $"use its TMPDIR, or run inside its container; {HostCommands.Current.Read(Text(pid))} reads it without that channel",
            exception);
    }

    private static string FixFor(string folder)
        => $"check that the process may write to {folder} and that it has room for all of the process's memory, or choose another place with -o FILE";

    private static string Text(int pid) => pid.ToString(CultureInfo.InvariantCulture);
}
