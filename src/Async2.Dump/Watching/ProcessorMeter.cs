using System.Collections.Immutable;
using System.Globalization;

namespace Async2.Dump.Watching;

/// <summary>
/// What the processors that this tool may use could do, and what of that nobody used: of the machine, and of each of our control groups that has a limit.
/// Only differences say something.
/// </summary>
/// <param name="proc">Instead of <c>/proc</c>.</param>
/// <param name="groups">Instead of <c>/sys/fs/cgroup</c>.</param>
internal sealed class ProcessorMeter(string proc = "/proc", string groups = "/sys/fs/cgroup")
{
    // USER_HZ is 100 wherever .NET runs.
    private const double TicksASecond = 100;
    private const int IdleColumn = 3;
    private const int WaitsForDiskColumn = 4;

    // Time of guests is in that of users, too (proc(5)).
    private const int Columns = 8;

    /// <summary>Counts since some moment; empty if the system does not say.</summary>
    /// <param name="now">Time since any moment.</param>
    public ImmutableArray<ProcessorTime> Read(TimeSpan now) => Machine() is { } machine ? [machine, .. Limited(now)] : [];

    /// <summary>What was possible between two counts, and idle, where that was least; null if nobody knows.</summary>
    public static ProcessorTime? Between(ImmutableArray<ProcessorTime> earlier, ImmutableArray<ProcessorTime> later)
    {
        // A process may have been moved into another group, or a limit lifted.
        if (earlier.IsEmpty || earlier.Length != later.Length)
            return null;
        ProcessorTime[] spans = [.. later.Zip(earlier, (b, a) => new ProcessorTime(b.Possible - a.Possible, b.Idle - a.Idle))];
        return new(spans.Min(span => span.Possible), spans.Min(span => span.Idle));
    }

    // "cpu0 3184161 112130 646480 1730687 11150 0 9708 6841 0 0": user nice system idle iowait irq softirq steal guest guest_nice.
    private ProcessorTime? Machine()
    {
        HashSet<string> allowed = Allowed();
        (double possible, double idle, bool any) = (0, 0, false);
        foreach (string line in Lines(Path.Join(proc, "stat")))
        {
            string[] words = line.Split(' ', StringSplitOptions.RemoveEmptyEntries);
            if (words.Length <= Columns || !words[0].StartsWith("cpu", StringComparison.Ordinal) || !allowed.Contains(words[0][3..]))
                continue;
            double[] ticks = [.. words[1..(Columns + 1)].Select(word => Number(word) ?? 0)];
            (possible, idle, any) = (possible + ticks.Sum(), idle + ticks[IdleColumn] + ticks[WaitsForDiskColumn], true);
        }
        return any ? new(TimeSpan.FromSeconds(possible / TicksASecond), TimeSpan.FromSeconds(idle / TicksASecond)) : null;
    }

    // "Cpus_allowed_list:	0-3,8".
    private HashSet<string> Allowed()
    {
        const string Key = "Cpus_allowed_list:";
        string list = Lines(Path.Join(proc, "self", "status")).FirstOrDefault(line => line.StartsWith(Key, StringComparison.Ordinal))?[Key.Length..] ?? "";
        HashSet<string> allowed = [];
        foreach (string[] range in list.Split(',', StringSplitOptions.TrimEntries).Select(range => range.Split('-')))
        {
            if (Number(range[0]) is not { } first || Number(range[^1]) is not { } last)
                continue;
            for (int number = (int)first; number <= (int)last; number++)
                allowed.Add(number.ToString(CultureInfo.InvariantCulture));
        }
        return allowed;
    }

    // "0::/system.slice/x" in version 2, "7:cpu,cpuacct:/docker/..." in version 1 (cgroups(7)). A limit applies to all groups below. A container sees its own
    // group as the root, or its path without content.
    private IEnumerable<ProcessorTime> Limited(TimeSpan now)
    {
        foreach (string line in Lines(Path.Join(proc, "self", "cgroup")).Append("0::/").Append("1:cpu:/").Distinct())
        {
            if (line.Split(':', 3) is not [_, var controllers, ['/', ..] path] || (controllers.Length > 0 && !controllers.Split(',').Contains("cpu")))
                continue;
            for (string? group = path; group is { Length: > 0 }; group = Path.GetDirectoryName(group))
            {
                if ((controllers.Length > 0 ? First(group) : Second(Path.Join(groups, group))) is (var processors, var used))
                    yield return new(now * processors, (now * processors) - used);
            }
        }
    }

    // cpu.max: "50000 100000", or "max 100000" for no limit.
    private static (double Processors, TimeSpan Used)? Second(string group)
    {
        const string Key = "usage_usec ";
        string? used = Lines(Path.Join(group, "cpu.stat")).FirstOrDefault(line => line.StartsWith(Key, StringComparison.Ordinal))?[Key.Length..];
        return Lines(Path.Join(group, "cpu.max")).FirstOrDefault()?.Split(' ') is [var quota, var period] && Number(quota) / Number(period) is { } processors && Number(used) is { } microseconds
            ? (processors, TimeSpan.FromMicroseconds(microseconds)) : null;
    }

    // Without a limit the quota is -1.
    private (double Processors, TimeSpan Used)? First(string group)
    {
        double? quota = One("cpu", "cpu.cfs_quota_us") / One("cpu", "cpu.cfs_period_us");
        return quota is { } processors && One("cpuacct", "cpuacct.usage") is { } nanoseconds ? (processors, TimeSpan.FromMicroseconds(nanoseconds / 1000)) : null;

        double? One(string controller, string file) => Number(Lines(Path.Join(groups, controller, group, file)).FirstOrDefault());
    }

    private static double? Number(string? text) => ulong.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out ulong value) ? value : null;

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

/// <summary>Processor time.</summary>
/// <param name="Possible">As much as there was.</param>
/// <param name="Idle">What of it nobody used.</param>
internal readonly record struct ProcessorTime(TimeSpan Possible, TimeSpan Idle);
