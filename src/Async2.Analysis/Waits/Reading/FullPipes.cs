using System.Collections.Immutable;
using System.Globalization;
using Async2.Analysis.Model;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Processes;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Waits.Reading;

/// <summary>
/// Threads that write to a pipe in a call of the system, until another process reads what is in it: most often the program's own output, which a log collector or a shell takes. Only
/// seen in a process on Linux that runs on: a dump does not tell what others do.
/// </summary>
/// <param name="target">The target.</param>
internal sealed class FullPipes(Target target)
{
    private static readonly (int File, string Name)[] Own = [(1, "standard output"), (2, "standard error")];

    private readonly PipeEnds? _readers = target.Origin is { IsHosted: false, Freeze: null, SystemPid: { } pid } ? PipeEnds.Read(pid) : null;
    private Dictionary<int, int>? _threads;

    /// <summary>Which pipe it is, and who can read it; nothing if the thread does not wait for room in one.</summary>
    /// <param name="managedThreadId">The thread.</param>
    public ImmutableArray<WaitFact> Of(int managedThreadId)
    {
        if (_readers is null || target.Origin.Pid is not { } pid || !(_threads ??= Threads(pid)).TryGetValue(managedThreadId, out int thread) || PipeWriters.WrittenBy(pid, thread) is not { } file)
            return [];
        var full = new WaitFact(WaitFactKey.FullPipe, Text: NameOf(pid, file));
        return _readers.Of(file) is { } reader ? [full, new(WaitFactKey.ReadBy, reader.Pid, reader.Name)] : [full];
    }

    // Console writes to a copy of the descriptor (System.Console 10.0.12, ConsolePal.OpenStandardOutput).
    private static string NameOf(int pid, int file)
        => ProcFiles.LinkOf(pid, file) is { } pipe && Own.FirstOrDefault(own => ProcFiles.LinkOf(pid, own.File) == pipe).Name is { } name ? name : string.Create(CultureInfo.InvariantCulture, $"descriptor {file}");

    // By managed id. The runtime knows the ids that the process itself uses.
    private Dictionary<int, int> Threads(int pid)
    {
        bool isSame = ProcessThreads.SharesIds(pid);
        var byOwn = new Dictionary<uint, int>();
        foreach (int thread in ProcessThreads.Of(pid))
            byOwn.TryAdd(ProcessThreads.OwnId(pid, thread, isSame), thread);
        var found = new Dictionary<int, int>();
        foreach (ClrThread known in target.Runtime.Threads.Where(known => known.IsAlive))
        {
            if (byOwn.TryGetValue(known.OSThreadId, out int thread))
                found.TryAdd(known.ManagedThreadId, thread);
        }
        return found;
    }
}
