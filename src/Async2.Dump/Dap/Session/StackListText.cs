using Async2.Analysis.Model;
using Async2.Analysis.Query;
using Async2.Analysis.Rendering.Formats;
using Async2.Analysis.Rendering.Text;
using Async2.Dump.Dap.Protocol;

namespace Async2.Dump.Dap.Session;

/// <summary>Stacks as text for a console: one line each, or one stack in full.</summary>
internal sealed class StackListText(DapCapture capture)
{
    private const int MostLines = 50;

    private StackView Snapshot => capture.Snapshot;

    /// <summary>A heading with counts, and a line for each of the first stacks.</summary>
    public string Of(IReadOnlyList<int> threads)
    {
        if (threads.Count == 0)
            return "No stack matches.";
        List<string[]> rows = [.. threads.Take(MostLines).Select(Row)];
        int[] widths = [.. Enumerable.Range(0, 4).Select(column => rows.Max(row => row[column].Length))];
        IEnumerable<string> lines = rows.Select(row => string.Join("  ", row.Select((cell, column) => column < widths.Length ? cell.PadRight(widths[column]) : cell)).TrimEnd());
        return string.Join('\n', [Heading(threads), .. lines, .. More(threads.Count)]);
    }

    /// <summary>A stack as in the text answer, innermost frame first.</summary>
    public string Of(int thread)
    {
        using var writer = new StringWriter();
        var text = new PlainText(writer);
        var frames = new FrameLines(text, leafFirst: true);
        new GroupText(text, frames, leafFirst: true) { AllAges = true, Clocks = true }.Write(capture.StackOf(thread));
        TextRenderer.WriteLegend(text, frames.Marks);
        return DapText.Lines(writer.ToString().Trim('\n'));
    }

    /// <summary>Method and place of the most relevant frame; empty in a stack without frames.</summary>
    public static string FrameOf(LogicalStack stack)
        => StackNames.InnermostOfUser(stack) is { } frame ? $"{DapText.Name(frame.Method)}  {DapText.Name(LocationText.Of(frame))}".TrimEnd() : "";

    private string Heading(IReadOnlyList<int> threads)
    {
        long stacks = threads.Sum(thread => capture.StackOf(thread).Count);
        string groups = stacks == threads.Count ? "" : $" in {DisplayText.Count(threads.Count, "group")}";
        return $"{DisplayText.Number(stacks)} of {DisplayText.Count(Snapshot.Totals.Stacks, "stack")}{groups}:";
    }

    private string[] Row(int thread)
    {
        LogicalStack stack = capture.StackOf(thread);
        return [stack.Id, "x" + DisplayText.Number(stack.Count), DisplayText.Of(stack.State), StackNames.Place(stack), stack.WaitingOn is { } wait ? DapText.Name(wait.FullText) : ""];
    }

    private static IEnumerable<string> More(int count) => count <= MostLines ? [] : [$"\u2026 {DisplayText.Number(count - MostLines)} more: open the answer, or add a word to the query."];
}
