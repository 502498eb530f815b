namespace Async2.Analysis.Nodes;

/// <summary>
/// Sorts columns by address. Long runs of rows are mostly in order and are moved as a whole; only
/// rows of overlapping runs are sorted one by one.
/// </summary>
internal sealed class ColumnOrder
{
    private readonly List<(ulong First, ulong Last, int Start, int End)> _stretches;
    private readonly int[]? _rows;

    private ColumnOrder(List<(ulong, ulong, int, int)> stretches, int[]? rows) => (_stretches, _rows) = (stretches, rows);

    /// <summary>Null when they are in order already.</summary>
    public static ColumnOrder? Of(ulong[] addresses)
    {
        var stretches = new List<(ulong First, ulong Last, int Start, int End)>();
        int start = 0;
        for (int i = 1; i <= addresses.Length; i++)
        {
            if (i < addresses.Length && addresses[i - 1] < addresses[i])
                continue;
            stretches.Add((addresses[start], addresses[i - 1], start, i));
            start = i;
        }
        if (addresses.Length == 0 || stretches.Count == 1)
            return null;
        stretches.Sort((a, b) => a.First.CompareTo(b.First));
        for (int i = 1; i < stretches.Count; i++)
        {
            if (stretches[i - 1].Last >= stretches[i].First)
                return new(stretches, RowByRow(addresses));
        }
        return new(stretches, null);
    }

    /// <summary>The column in order.</summary>
    public T[] Apply<T>(T[] column)
    {
        var ordered = GC.AllocateUninitializedArray<T>(column.Length);
        int at = 0;
        if (_rows is not null)
        {
            foreach (int row in _rows)
                ordered[at++] = column[row];
            return ordered;
        }
        foreach ((_, _, int start, int end) in _stretches)
        {
            column.AsSpan(start, end - start).CopyTo(ordered.AsSpan(at));
            at += end - start;
        }
        return ordered;
    }

    private static int[] RowByRow(ulong[] addresses)
    {
        int[] rows = new int[addresses.Length];
        for (int i = 0; i < rows.Length; i++)
            rows[i] = i;
        Array.Sort((ulong[])addresses.Clone(), rows);
        return rows;
    }
}
