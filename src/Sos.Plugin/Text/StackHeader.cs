using Async2.Analysis.Model;
using Async2.Analysis.Rendering.Text;

namespace Async2.Sos.Text;

/// <summary>The line above a stack.</summary>
internal static class StackHeader
{
    /// <summary>Writes it after an empty line.</summary>
    /// <param name="text">Where to.</param>
    /// <param name="title"><c>STACK 1</c>.</param>
    /// <param name="stack">The stack.</param>
    /// <param name="allAges">Says also that it has just begun to wait.</param>
    public static void Write(ConsoleText text, string title, LogicalStack stack, bool allAges)
    {
        text.Line();
        text.Write(TextRole.Heading, title);
        text.Write("  ");
        text.Write(stack.State == StackState.Deadlocked ? TextRole.Error : TextRole.State, DisplayText.Of(stack.State));
        if (stack.Thread is { } thread)
        {
            text.Write("  ");
            text.Thread(thread, DisplayText.Threads(thread, stack.Count));
        }
        if (AgeText.Of(stack, allAges) is { } age)
            text.Write(TextRole.Dim, "  " + age);
        if (stack.Task is { } task)
        {
            text.Write(TextRole.Dim, "  task ");
            text.Write(TextRole.Address, DisplayText.Hex(task));
        }
        text.Line();
        if (LabelLine.Of(stack) is { } labels)
            text.Line("  " + SafeText.Escape(labels, ascii: true));
    }
}
