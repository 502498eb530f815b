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
    {
        try
        {
            // "tid (name) S ...": the name may hold anything, so the state follows the last parenthesis.
            string stat = File.ReadAllText(string.Create(CultureInfo.InvariantCulture, $"{TaskFolder(pid)}/{thread}/stat"));
            int end = stat.LastIndexOf(')');
            return end >= 0 && end + 2 < stat.Length && stat[end + 2] is 't' or 'T' or 'Z' or 'X';
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return true;
        }
    }

    private static string TaskFolder(int pid) => string.Create(CultureInfo.InvariantCulture, $"/proc/{pid}/task");
}
