using Async2.Analysis.Formatting;
using Async2.Analysis.Model;

namespace Async2.Analysis.Rendering.Text;

/// <summary>For how long a stack has waited, as the headers of all hosts say it.</summary>
public static class AgeText
{
    /// <summary><c>for 42.1 s</c>, <c>oldest for at least 12 s, at most 40 s</c>; null if nothing is known, or it has just begun.</summary>
    /// <param name="stack">The stack, or the group.</param>
    /// <param name="all">Also of what has just begun.</param>
    /// <param name="clocks">Says by which clock, too.</param>
    public static string? Of(LogicalStack stack, bool all = false, bool clocks = false)
        => stack.Age is not { } age || !(all || AgeFormatter.IsShown(age)) ? null
            : AgeFormatter.Of(age, stack.Count) + (clocks ? $" ({AgeFormatter.Clocks(age)})" : "");

    /// <summary><c>59 min 57 s</c>.</summary>
    public static string Duration(long milliseconds) => WaitNumbers.Duration(milliseconds);

    /// <summary>After the stacks of a dump: to which moment the ages count that were said.</summary>
    /// <param name="text">Where to.</param>
    /// <param name="target">Nothing is written for a process.</param>
    public static void WriteMoment(StyledText text, TargetFacts target)
    {
        if (target.LastTickFrom is not { } source)
            return;
        text.Line();
        new Paragraph(text).Add(TextRole.Dim, $"ages count to the newest tick in the dump ({source}), which does not say when it was written").End();
    }
}
