namespace Async2.Analysis.Snapshots;

/// <summary>Writes and reads what tells equal stacks apart. A file that was written with --redact, or before that was read, has no such part.</summary>
internal static class ValueColumn
{
    public static void Write(uint[] values, ColumnWriter columns)
    {
        columns.Count(values.Length);
        foreach (uint value in values)
            columns.Number(value);
    }

    /// <param name="part">The part.</param>
    /// <param name="stacks">How many stacks there are.</param>
    public static uint[] Read(ColumnReader part, int stacks)
    {
        uint[] values = part.Array<uint>(part.Below(stacks + 1));
        for (int i = 0; i < values.Length; i++)
            values[i] = part.Number() is <= uint.MaxValue and var value ? (uint)value : throw part.Damaged("a value is too large");
        part.End();
        return values;
    }
}
