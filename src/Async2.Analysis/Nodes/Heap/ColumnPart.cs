namespace Async2.Analysis.Nodes.Heap;

/// <summary>Rows of a column that lie one behind the other.</summary>
/// <param name="Items">A block that may hold other rows, too.</param>
/// <param name="Start">The first row in it.</param>
/// <param name="Count">How many.</param>
internal sealed record ColumnPart<T>(T[] Items, int Start, int Count)
    where T : struct
{
    public ReadOnlySpan<T> Rows => Items.AsSpan(Start, Count);

    public static ColumnPart<T> Of(params T[] items) => new(items, 0, items.Length);

    /// <summary>Rows of all parts.</summary>
    public static int Total(ColumnPart<T>[] parts)
    {
        int total = 0;
        foreach (ColumnPart<T> part in parts)
            total += part.Count;
        return total;
    }
}
