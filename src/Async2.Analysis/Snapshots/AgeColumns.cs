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

    /// <param name="part">The part.</param>
    public static AgeFacts Read(ColumnReader part)
    {
        ulong now = part.Number();
        int flags = part.Byte();
        if (now > long.MaxValue || flags >> 1 > (int)NowSource.Pool || (now == 0) != (flags >> 1 == (int)NowSource.None))
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
