using System.Globalization;

namespace Async2.Analysis.Targets;

/// <summary>Threads of a Linux process and whether they stand still (proc(5)).</summary>
internal static class ProcessThreads
{
    /// <summary>Thread ids; empty when the process is gone.</summary>
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

    /// <summary>In a stop (t: held by a tracer, T: by a signal), dead, or not there any more.</summary>
    public static bool IsStoppedOrGone(int pid, int thread)
        => ProcFiles.StatFields(string.Create(CultureInfo.InvariantCulture, $"{pid}/task/{thread}")) is not { } fields || fields is [['t' or 'T' or 'Z' or 'X', ..], ..];

    private static string TaskFolder(int pid) => string.Create(CultureInfo.InvariantCulture, $"/proc/{pid}/task");
}
