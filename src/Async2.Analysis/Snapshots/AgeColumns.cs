using Async2.Analysis.Model.Ages;

namespace Async2.Analysis.Snapshots;

/// <summary>Writes and reads what tells since when something waits. A file of before that was read has no such part.</summary>
internal static class AgeColumns
{
    public static void Write(AgeFacts ages, ColumnWriter columns)
    {
        columns.Number((ulong)ages.Now);
        columns.Byte((byte)(((int)ages.NowSource << 1) | (ages.FramesAreNew ? 1 : 0)));
        columns.Count(ages.Timers.Length);
        columns.Near(ages.Timers);
        // The promise of a timer lies beside it.
        for (int i = 0; i < ages.Timers.Length; i++)
            columns.Signed((long)(ages.Promises[i] - ages.Timers[i]));
        columns.Near([.. ages.Ticks.Select(tick => (ulong)tick)]);
    }

    /// <summary>What began before stacks waited.</summary>
    public static void WriteStarts(AgeFacts ages, ColumnWriter columns)
    {
        KeyValuePair<int, StackStart>[] starts = [.. ages.Starts.OrderBy(start => start.Key)];
        columns.Count(starts.Length);
        columns.Near([.. starts.Select(start => start.Key)]);
        columns.Near([.. starts.Select(start => (ulong)start.Value.Tick)]);
        foreach (KeyValuePair<int, StackStart> start in starts)
            columns.Byte((byte)start.Value.Clock);
    }

    /// <param name="part">The part.</param>
    /// <param name="ages">The other facts.</param>
    /// <param name="stacks">How many stacks there are.</param>
    public static AgeFacts ReadStarts(ColumnReader part, AgeFacts ages, int stacks)
    {
        int count = part.Count();
        int[] of = part.Near(count, 0, stacks);
        ulong[] ticks = part.NearAddresses(count);
        var starts = new Dictionary<int, StackStart>(count);
        for (int i = 0; i < count; i++)
        {
            var clock = (AgeClock)part.Byte();
            if (clock is not (AgeClock.Activity or AgeClock.HttpTimer) || ticks[i] is 0 or > long.MaxValue || !starts.TryAdd(of[i], new((long)ticks[i], clock)))
                throw part.Damaged("a start is out of its range");
        }
        part.End();
        return ages with { Starts = starts };
    }

    /// <param name="part">The part.</param>
    public static AgeFacts Read(ColumnReader part)
    {
        ulong now = part.Number();
        int flags = part.Byte();
        if (now > long.MaxValue || flags >> 1 > (int)NowSource.Activity || (now == 0) != (flags >> 1 == (int)NowSource.None))
            throw part.Damaged("its moment is not known");
        int count = part.Count();
        ulong[] timers = Ascending(part, count);
        ulong[] promises = part.Array<ulong>(count);
        for (int i = 0; i < count; i++)
            promises[i] = timers[i] + (ulong)part.Signed();
        long[] ticks = Array.ConvertAll(part.NearAddresses(count), tick => tick is > 0 and <= long.MaxValue ? (long)tick : throw part.Damaged("a time is out of its range"));
        part.End();
        return new AgeFacts { Now = (long)now, NowSource = (NowSource)(flags >> 1), FramesAreNew = (flags & 1) != 0, Timers = timers, Promises = promises, Ticks = ticks };
    }

    // They are searched.
    private static ulong[] Ascending(ColumnReader part, int count)
    {
        ulong[] values = part.NearAddresses(count);
        for (int i = 1; i < count; i++)
        {
            if (values[i] <= values[i - 1])
                throw part.Damaged("addresses are not in order");
        }
        return values;
    }
}
