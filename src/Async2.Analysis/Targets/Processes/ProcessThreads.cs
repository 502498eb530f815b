using System.Globalization;

namespace Async2.Analysis.Targets.Processes;

/// <summary>Threads of a Linux process and whether they are stopped (proc(5)).</summary>
internal static class ProcessThreads
{
    /// <summary>Thread ids; empty if the process has ended.</summary>
    public static IReadOnlyList<int> Of(int pid)
    {
        try
        {
            return [.. Directory.EnumerateDirectories(TaskFolder(pid))
                .Select(d => int.TryParse(Path.GetFileName(d), NumberStyles.None, CultureInfo.InvariantCulture, out int id) ? id : 0)
                .Where(id => id > 0)];
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return [];
        }
    }

    /// <summary>
    /// The id that a process itself, and so the runtime in it, has for one of its threads: different from ours if it runs in a
    /// pid namespace of its own, as in a container (pid_namespaces(7)).
    /// </summary>
    /// <param name="pid">The process.</param>
    /// <param name="thread">The id that we use.</param>
    /// <param name="isSame">There is no such namespace; <see cref="SharesIds"/>.</param>
    public static uint OwnId(int pid, int thread, bool isSame)
    {
        if (isSame)
            return (uint)thread;
        // "NSpid:  4523  17": here, and in each inner namespace.
        string? line = ProcFiles.LinesOf(pid, thread, "status").FirstOrDefault(line => line.StartsWith("NSpid:", StringComparison.Ordinal));
        return uint.TryParse(line?.Split('\t')[^1], NumberStyles.None, CultureInfo.InvariantCulture, out uint own) ? own : (uint)thread;
    }

    /// <summary>Whether a process has the same ids for its threads as we have.</summary>
    public static bool SharesIds(int pid) => ProcFiles.IsInOurNamespace(pid, "pid");

    /// <summary>Stopped (t: by a tracer, T: by a signal), dead, or ended.</summary>
    public static bool IsStoppedOrGone(int pid, int thread)
        => ProcFiles.StatFields(string.Create(CultureInfo.InvariantCulture, $"{pid}/task/{thread}")) is not { } fields || fields is [['t' or 'T' or 'Z' or 'X', ..], ..];

    private static string TaskFolder(int pid) => string.Create(CultureInfo.InvariantCulture, $"/proc/{pid}/task");
}
