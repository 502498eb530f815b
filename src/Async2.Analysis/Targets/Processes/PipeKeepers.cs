namespace Async2.Analysis.Targets.Processes;

/// <summary>
/// Which other processes can still write to a pipe that a process on Linux reads (proc(5), pipe(7)): it reads the end only when all of them have closed it or ended. Looked up when
/// first asked for.
/// </summary>
/// <param name="pid">The process that reads. It may have ended, or belong to somebody else: then nothing is known of it.</param>
internal sealed class PipeKeepers(int pid)
{
    // More than all processes of a user have that is in order; what comes after is not looked at.
    private const int FileLimit = 200_000;

    private Dictionary<string, PipeWriter>? _byPipe;

    /// <summary>The one of them with the lowest id; null if there is none that may be looked at, and for what is not a pipe.</summary>
    /// <param name="file">Descriptor in the process.</param>
    public PipeWriter? Of(int file)
        => ProcFiles.LinkOf(pid, file) is { } pipe && PipeWriters.IsPipe(pipe) ? (_byPipe ??= Find()).GetValueOrDefault(pipe) : null;

    private Dictionary<string, PipeWriter> Find()
    {
        var found = new Dictionary<string, PipeWriter>(StringComparer.Ordinal);
        int left = FileLimit;
        foreach (int other in ProcFiles.Pids().Where(other => other != pid && other != Environment.ProcessId).Order())
        {
            foreach (int file in ProcFiles.Descriptors(other))
            {
                if (left-- == 0)
                    return found;
                if (ProcFiles.LinkOf(other, file) is { } pipe && PipeWriters.IsPipe(pipe) && ProcFiles.IsWritable(other, file))
                    found.TryAdd(pipe, new(other, ProcFiles.Comm(other)));
            }
        }
        return found;
    }
}
