namespace Async2.Analysis.Nodes;

/// <summary>Rows of a column that lie one behind the other.</summary>
/// <param name="Items">A block that may hold other rows, too.</param>
/// <param name="Start">The first row in it.</param>
/// <param name="Count">How many.</param>
internal sealed record ColumnPart<T>(T[] Items, int Start, int Count)
    where T : struct
{
    public ReadOnlySpan<T> Rows => Items.AsSpan(Start, Count);

    public static ColumnPart<T> Of(params T[] items) => new(items, 0, items.Length);

    /// <summary>Rows of a column of all segments.</summary>
    public static int Total<TRows>(IReadOnlyList<TRows> segments, Func<TRows, ColumnPart<T>[]> column)
    {
        int total = 0;
        foreach (TRows segment in segments)
        {
            foreach (ColumnPart<T> part in column(segment))
                total += part.Count;
        }
        return total;
    }

    /// <summary>A column of all segments in one array.</summary>
    public static T[] Join<TRows>(IReadOnlyList<TRows> segments, Func<TRows, ColumnPart<T>[]> column)
    {
        var all = GC.AllocateUninitializedArray<T>(Total(segments, column));
        int at = 0;
        foreach (TRows segment in segments)
        {
            foreach (ColumnPart<T> part in column(segment))
            {
                part.Rows.CopyTo(all.AsSpan(at));
                at += part.Count;
            }
        }
        return all;
    }
}
