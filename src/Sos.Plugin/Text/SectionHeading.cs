using Async2.Analysis.Query;
using Async2.Analysis.Rendering.Text;

namespace Async2.Sos.Text;

/// <summary>The line above the stacks of a section.</summary>
internal static class SectionHeading
{
    /// <summary>Writes it after an empty line; nothing if the answer has no sections.</summary>
    public static void Write(ConsoleText text, StackSection? section, ShownStacks shown)
    {
        if (section is null)
            return;
        text.Line();
        SectionText.WriteHeading(text, section, shown.Listed.Sum(stack => stack.Count));
    }
}
