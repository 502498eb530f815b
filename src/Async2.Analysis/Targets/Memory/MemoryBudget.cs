using System.Globalization;
using System.Runtime.Versioning;
using Async2.Analysis.Targets.Windows;

namespace Async2.Analysis.Targets.Memory;

/// <summary>
/// The maximum memory for a copy of a process: half of the free memory of the machine and of each of our control groups, which
/// may include the target, whose memory then counts as used.
/// </summary>
internal static class MemoryBudget
{
    /// <summary>Bytes; practically unlimited if the system does not say.</summary>
    public static ulong Bytes => OperatingSystem.IsWindows() ? OfWindows() : Of("/proc", "/sys/fs/cgroup");

    /// <summary>The same, with other folders than the system's.</summary>
    /// <param name="proc">Instead of <c>/proc</c>.</param>
    /// <param name="groups">Instead of <c>/sys/fs/cgroup</c>.</param>
    public static ulong Of(string proc, string groups)
        => Groups(proc, groups).Append(Available(proc)).Min(free => free ?? ulong.MaxValue) / 2;

    // What is free, and what may be committed. A job (a container) may allow less: .NET knows how much.
    [SupportedOSPlatform("windows")]
    private static unsafe ulong OfWindows()
    {
        // MEMORYSTATUSEX, in words: its length and the load in percent; then the machine's memory, all and free, and what may be committed, all and free.
        const int words = 8, free = 2, freeToCommit = 4;
        ulong* status = stackalloc ulong[words];
        *(uint*)status = words * sizeof(ulong);
        if (WindowsCalls.GlobalMemoryStatusEx(status) == 0)
            return ulong.MaxValue / 2;
        return Math.Min(Math.Min(status[free], status[freeToCommit]), (ulong)Math.Max(0, GC.GetGCMemoryInfo().TotalAvailableMemoryBytes)) / 2;
    }

    // "MemAvailable:   24012345 kB" (proc(5)).
    private static ulong? Available(string proc) => Lines(Path.Join(proc, "meminfo"))
        .Where(line => line.StartsWith("MemAvailable:", StringComparison.Ordinal))
        .Select(line => Number(line.Split(' ', StringSplitOptions.RemoveEmptyEntries)[1]) * 1024)
        .FirstOrDefault();

    // "0::/system.slice/x" in version 2, "7:memory:/docker/..." in version 1 (cgroups(7)). A limit applies to all groups below. A container
    // sees its own group as the root, or its path without content.
    private static IEnumerable<ulong?> Groups(string proc, string groups)
    {
        foreach (string line in Lines(Path.Join(proc, "self", "cgroup")).Append("0::/").Append("1:memory:/"))
        {
            if (line.Split(':', 3) is not [_, var controllers, ['/', ..] path] || (controllers.Length > 0 && !controllers.Split(',').Contains("memory")))
                continue;
            bool isFirst = controllers.Length > 0;
            string root = isFirst ? Path.Join(groups, "memory") : groups;
            for (string? group = path; group is { Length: > 0 }; group = Path.GetDirectoryName(group))
                yield return isFirst ? Free(Path.Join(root, group), "memory.limit_in_bytes", "memory.usage_in_bytes") : Free(Path.Join(root, group), "memory.max", "memory.current");
        }
    }

    // "max" is not a number: no limit.
    private static ulong? Free(string group, string limit, string used)
        => Number(Lines(Path.Join(group, limit)).FirstOrDefault()) is { } most && Number(Lines(Path.Join(group, used)).FirstOrDefault()) is { } now
            ? most - Math.Min(most, now)
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
