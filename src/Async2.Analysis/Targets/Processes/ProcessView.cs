using Async2.Analysis.Model;
using Async2.Analysis.Targets.Contract;

namespace Async2.Analysis.Targets.Processes;

/// <summary>
/// What a live process says of itself besides its memory: which program it is, and which files its paths name. Asked before its
/// memory is read, and once more after.
/// </summary>
/// <param name="Pid">The process.</param>
/// <param name="Identity">Null where it cannot be told.</param>
/// <param name="Files">Its file system, which stays open.</param>
internal sealed record ProcessView(int Pid, ProcessIdentity? Identity, TargetFiles Files) : IDisposable
{
    /// <summary>Asks.</summary>
    public static ProcessView Of(int pid) => new(pid, ProcessIdentity.Of(pid), TargetFiles.Of(pid));

    /// <summary>Asks again.</summary>
    /// <returns>This, if the process has been the same program all the while; without an identity when that cannot be told.</returns>
    /// <exception cref="TargetException">It became another program: what was read may be of two.</exception>
    public ProcessView Confirm()
    {
        if (ProcessIdentity.Of(Pid) is not { } now || Identity is null)
            return this with { Identity = null };
        return now == Identity ? this : throw new TargetException(
            FormattableString.Invariant($"Process {Pid} became another program while it was read."), $"try again; {HostCommands.Current.ListProcesses}   lists the .NET processes you may read.");
    }

    public void Dispose() => Files.Dispose();
}
