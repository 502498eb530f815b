using System.Globalization;
using System.Runtime.InteropServices;

namespace Async2.Analysis.Targets.Processes;

/// <summary>A process that has an end of a pipe.</summary>
/// <param name="Pid">Its id, as this process uses it.</param>
/// <param name="Name">Its name; null if it has ended since.</param>
internal sealed record PipeProcess(int Pid, string? Name);

/// <summary>
/// Which of the processes that a process on Linux has started, and those in turn, wait until there is room in a pipe: a thread sleeps in <c>write</c> or
/// <c>writev</c> (proc(5), pipe(7)). Looked up when first asked for.
/// </summary>
/// <param name="pid">The process. It may have ended, or belong to somebody else: then nothing is known of it.</param>
internal sealed class PipeWriters(int pid)
{
    // More than any machine has that is in order; who starts more is not followed further.
    private const int ThreadLimit = 20_000;

    private Dictionary<string, PipeProcess>? _byPipe;

    /// <summary>Who waits for room in the pipe that the process has open under a number; null if nobody does, and for what is not a pipe.</summary>
    /// <param name="file">Descriptor in the process.</param>
    public PipeProcess? WaitingFor(int file)
        => ProcFiles.LinkOf(pid, file) is { } pipe && IsPipe(pipe) ? (_byPipe ??= Find()).GetValueOrDefault(pipe) : null;

    private Dictionary<string, PipeProcess> Find()
    {
        var found = new Dictionary<string, PipeProcess>(StringComparer.Ordinal);
        int left = ThreadLimit;
        foreach (int child in Started())
        {
            foreach (int thread in ProcessThreads.Of(child))
            {
                if (left-- == 0)
                    return found;
                if (WrittenBy(child, thread) is { } file && ProcFiles.LinkOf(child, file) is { } pipe)
                    found.TryAdd(pipe, new(child, ProcFiles.Comm(child)));
            }
        }
        return found;
    }

    // All that it has started, they in turn too.
    private IEnumerable<int> Started()
    {
        ILookup<int, int> byParent = ProcFiles.Pids().Select(child => (Child: child, Parent: ProcFiles.Parent(child))).Where(row => row.Parent is not null).ToLookup(row => row.Parent!.Value, row => row.Child);
        var seen = new HashSet<int> { pid };
        var ahead = new Queue<int>(seen);
        while (ahead.TryDequeue(out int next))
        {
            foreach (int child in byParent[next])
            {
                if (!seen.Add(child))
                    continue;
                yield return child;
                ahead.Enqueue(child);
            }
        }
    }

    /// <summary>The descriptor of the pipe in which a thread waits for room; null if it does not, and where that may not be read.</summary>
    /// <param name="pid">Its process.</param>
    /// <param name="thread">Its id, as this process uses it.</param>
    public static int? WrittenBy(int pid, int thread)
        // "1 0x4 0x7f5e 0x30d40 ...": number of the call, then its arguments in hex; "running" for what is not in a call.
        => ProcFiles.StatFields(string.Create(CultureInfo.InvariantCulture, $"{pid}/task/{thread}")) is ["S", ..]
            && ProcFiles.LinesOf(pid, thread, "syscall") is [var line] && line.Split(' ') is [var call, ['0', 'x', .. var file], ..]
            && IsWrite(call) && int.TryParse(file, NumberStyles.HexNumber, CultureInfo.InvariantCulture, out int descriptor)
            && ProcFiles.LinkOf(pid, descriptor) is { } link && IsPipe(link) ? descriptor : null;

    // write(2) and writev(2) (linux, asm/unistd_64.h and asm-generic/unistd.h).
    private static bool IsWrite(string call) => RuntimeInformation.ProcessArchitecture switch
    {
        Architecture.X64 => call is "1" or "20",
        Architecture.Arm64 => call is "64" or "66",
        _ => false,
    };

    /// <summary>What a descriptor leads to is a pipe.</summary>
    public static bool IsPipe(string link) => link.StartsWith("pipe:[", StringComparison.Ordinal);
}
