using Async2.Analysis.Query;
using Async2.Analysis.Rendering.Text;

namespace Async2.Dump.Cli;

/// <summary>Prints the result of a command that wrote a file: its path, its content, and the command that reads it.</summary>
internal static class WrittenFile
{
    /// <param name="session">The run.</param>
    /// <param name="path">The file.</param>
    /// <param name="size">Its size, with a unit.</param>
    /// <param name="content">The answer for it.</param>
    /// <param name="whole">Text for a complete answer.</param>
    public static void Print(ToolSession session, string path, string size, StackView content, string whole) => AnswerFile.Write(null, stream =>
    {
        using var writer = new StreamWriter(stream, leaveOpen: true);
        StyledText text = session.Text(toFile: false)(writer);
        text.Write(TextRole.File, path);
        text.Line();
        text.Line($"{size}, {DisplayText.Count(content.Totals.Stacks, "stack")} in it, {(content.Complete ? whole : "NOT complete: see its problems")}");
        text.Write("next: ");
        text.Write(TextRole.Heading, "dotnet-async2 " + (path.Contains(' ', StringComparison.Ordinal) ? $"'{path}'" : path));
        text.Line();
    });
}
