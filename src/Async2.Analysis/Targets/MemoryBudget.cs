using System.Globalization;

namespace Async2.Analysis.Targets;

/// <summary>How much memory a copy of a process may take: half of what is free, of the machine and of our own container.</summary>
internal static class MemoryBudget
{
    /// <summary>Bytes; as good as unlimited where the system does not say.</summary>
    public static ulong Bytes => Math.Min(Available() ?? ulong.MaxValue, OfContainer() ?? ulong.MaxValue) / 2;

    // "MemAvailable:   24012345 kB" (proc(5)).
    private static ulong? Available() => Lines("/proc/meminfo")
        .Where(line => line.StartsWith("MemAvailable:", StringComparison.Ordinal))
        .Select(line => Number(line.Split(' ', StringSplitOptions.RemoveEmptyEntries)[1]) * 1024)
        .FirstOrDefault();

    // Control groups, version 2; a container sees its own as the root. "max" is no number and no limit.
    private static ulong? OfContainer()
        => Number(Lines("/sys/fs/cgroup/memory.max").FirstOrDefault()) is { } most && Number(Lines("/sys/fs/cgroup/memory.current").FirstOrDefault()) is { } used
            ? most - Math.Min(most, used)
            : null;

    private static ulong? Number(string? text) => ulong.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out ulong value) ? value : null;

    private static string[] Lines(string path)
    {
        try
        {
            return File.ReadAllLines(path);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return [];
        }
    }
}
