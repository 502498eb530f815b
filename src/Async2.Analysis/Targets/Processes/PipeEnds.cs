namespace Async2.Analysis.Targets.Processes;

/// <summary>
/// Which other processes have an end of a pipe open that a process on Linux has open, too (proc(5), pipe(7)). Who reads it gets the end only when all that can write to it have closed it
/// or ended; who writes to it goes on only when one that can read it does so. Looked up when first asked for.
/// </summary>
/// <param name="pid">The process. It may have ended, or belong to somebody else: then nothing is known of it.</param>
/// <param name="has">What another process has open under a number is that end.</param>
internal sealed class PipeEnds(int pid, Func<int, int, bool> has)
{
    // More than all processes of a user have that is in order; what comes after is not looked at.
    private const int FileLimit = 200_000;

    private Dictionary<string, PipeProcess>? _byPipe;

    /// <summary>Those that can write.</summary>
    public static PipeEnds Written(int pid) => new(pid, ProcFiles.IsWritable);

    /// <summary>Those that can read.</summary>
    public static PipeEnds Read(int pid) => new(pid, ProcFiles.IsReadable);

    /// <summary>The one of them with the lowest id; null if there is none that may be looked at, and for what is not a pipe.</summary>
    /// <param name="file">Descriptor in the process.</param>
    public PipeProcess? Of(int file)
        => ProcFiles.LinkOf(pid, file) is { } pipe && PipeWriters.IsPipe(pipe) ? (_byPipe ??= Find()).GetValueOrDefault(pipe) : null;

    private Dictionary<string, PipeProcess> Find()
    {
        var found = new Dictionary<string, PipeProcess>(StringComparer.Ordinal);
        int left = FileLimit;
        foreach (int other in ProcFiles.Pids().Where(other => other != pid && other != Environment.ProcessId).Order())
        {
            foreach (int file in ProcFiles.Descriptors(other))
            {
                if (left-- == 0)
                    return found;
                if (ProcFiles.LinkOf(other, file) is { } pipe && PipeWriters.IsPipe(pipe) && has(other, file))
                    found.TryAdd(pipe, new(other, ProcFiles.Comm(other)));
            }
        }
        return found;
    }
}
