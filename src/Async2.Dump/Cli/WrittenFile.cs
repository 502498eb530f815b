using Async2.Analysis.Query;
using Async2.Analysis.Rendering.Text;

namespace Async2.Dump.Cli;

/// <summary>Prints what a command wrote to a file: where it is, what is in it, and the command that reads it.</summary>
internal static class WrittenFile
{
    /// <param name="session">The run.</param>
    /// <param name="path">The file.</param>
    /// <param name="size">Its size, with a unit.</param>
    /// <param name="content">What it answers.</param>
    /// <param name="whole">What is said of an answer that is complete.</param>
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
