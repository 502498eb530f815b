using Async2.Analysis.Model;
using Async2.Analysis.Targets.Contract;
using Async2.Analysis.Targets.Windows;

namespace Async2.Analysis.Targets.Processes;

/// <summary>
/// Facts about a live process besides its memory: its program, and the files that its paths name. Read before its
/// memory is read, and once more after.
/// </summary>
/// <param name="Pid">The process.</param>
/// <param name="Identity">Null if unknown.</param>
/// <param name="Files">Its file system, which stays open.</param>
/// <param name="Open">On Windows the process itself: as long as it is open, no other process gets its id.</param>
internal sealed record ProcessView(int Pid, ProcessIdentity? Identity, TargetFiles Files, IDisposable? Open = null) : IDisposable
{
    /// <summary>Reads the facts.</summary>
    public static ProcessView Of(int pid)
    {
        IDisposable? open = OperatingSystem.IsWindows() ? WindowsProcess.TryOpen(pid, WindowsCalls.QueryLimited, out _) : null;
        return new(pid, ProcessIdentity.Of(pid), TargetFiles.Of(pid), open);
    }

    /// <summary>Reads them again.</summary>
    /// <returns>This, if the process has been the same program all the time; without an identity if that is unknown.</returns>
    /// <exception cref="TargetException">It became another program: the data may be of both.</exception>
    public ProcessView Confirm()
    {
        if (ProcessIdentity.Of(Pid) is not { } now || Identity is null)
            return this with { Identity = null };
        return now == Identity ? this : throw new TargetException(
            FormattableString.Invariant($"Process {Pid} became another program while it was read."), $"try again; {HostCommands.Current.ListProcesses}   lists the .NET processes you may read.");
    }

    public void Dispose()
    {
        Files.Dispose();
        Open?.Dispose();
    }
}
