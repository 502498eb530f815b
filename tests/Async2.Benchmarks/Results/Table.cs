namespace Async2.Benchmarks.Results;

/// <summary>An aligned table that is Markdown, too. Numbers stand at the right.</summary>
internal static class Table
{
    private static readonly string[] Heads = ["workload", "measure", "ours", "peer", "ratio", "goal", ""];
    private static readonly bool[] Right = [false, false, true, true, true, true, false];

    public static string Of(IEnumerable<Row> rows)
    {
        IReadOnlyList<string>[] lines = [Heads, .. rows.Select(row => row.Cells)];
        int[] widths = [.. Heads.Select((_, column) => Math.Max(3, lines.Max(line => line[column].Length)))];
        IEnumerable<string> rule = widths.Select((width, column) => Right[column] ? new string('-', width - 1) + ":" : new string('-', width));
        IEnumerable<string> body = lines.Select(line => Line(line.Select((cell, column) => Right[column] ? cell.PadLeft(widths[column]) : cell.PadRight(widths[column]))));
        return string.Join('\n', [body.First(), Line(rule), .. body.Skip(1)]);
    }

    private static string Line(IEnumerable<string> cells) => $"| {string.Join(" | ", cells)} |";
}
