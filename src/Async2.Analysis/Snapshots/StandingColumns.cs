using Async2.Analysis.Model;

namespace Async2.Analysis.Snapshots;

/// <summary>Writes and reads for how long things had stood when the last of several looks was taken. A file of one look has no such part.</summary>
internal static class StandingColumns
{
    private const int HasMoved = 4;

    public static void Write(StandingFacts standing, ColumnWriter columns)
    {
        columns.Count(standing.Stacks.Length);
        foreach (Stillness one in standing.Stacks)
            Write(one, columns);
        columns.Count(standing.Queues.Count);
        foreach ((ulong address, Stillness queue) in standing.Queues.OrderBy(pair => pair.Key))
        {
            columns.Number(address);
            Write(queue, columns);
        }
        Write(standing.Pool, columns);
        columns.Count(standing.Progress.Count);
        foreach ((ulong address, QueueProgress progress) in standing.Progress.OrderBy(pair => pair.Key))
        {
            columns.Number(address);
            columns.Count(progress.Waited);
            columns.Count(progress.GoneOn);
            columns.Number((ulong)progress.Ms);
        }
    }

    /// <param name="part">The part.</param>
    /// <param name="stacks">How many stacks there are.</param>
    public static StandingFacts Read(ColumnReader part, int stacks)
    {
        if (part.Count() != stacks)
            throw part.Damaged("it has not as many entries as there are stacks");
        Stillness[] all = part.Array<Stillness>(stacks);
        for (int i = 0; i < all.Length; i++)
            all[i] = One(part);
        var queues = new Dictionary<ulong, Stillness>();
        for (int left = part.Count(); left > 0; left--)
            queues[part.Number()] = One(part);
        Stillness pool = One(part);
        var progress = new Dictionary<ulong, QueueProgress>();
        for (int left = part.Count(); left > 0; left--)
        {
            ulong address = part.Number();
            int waited = part.Below(int.MaxValue);
            progress[address] = new(waited, part.Below(waited + 1), Time(part));
        }
        part.End();
        return new(all, queues, pool) { Progress = progress };
    }

    private static void Write(Stillness one, ColumnWriter columns)
    {
        columns.Byte((byte)((int)one.Motion | (one.HasMoved ? HasMoved : 0)));
        columns.Count(one.Looks);
        columns.Number((ulong)one.Ms);
    }

    private static Stillness One(ColumnReader part)
    {
        int kind = part.Byte();
        return (kind & ~HasMoved) <= (int)Motion.Moved ? new((Motion)(kind & ~HasMoved), part.Below(int.MaxValue), Time(part), (kind & HasMoved) != 0) : throw part.Damaged("an entry is of no known kind");
    }

    private static long Time(ColumnReader part) => part.Number() is <= long.MaxValue and var ms ? (long)ms : throw part.Damaged("a time is too long");
}
