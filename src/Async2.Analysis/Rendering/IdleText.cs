using Async2.Analysis.Model;
using Async2.Analysis.Query;
using Async2.Analysis.Rendering.Text;

namespace Async2.Analysis.Rendering;

/// <summary>
/// Idle loops of frameworks in one line: most of a server's connections wait for their clients, and what is in trouble must not be
/// lost among them.
/// </summary>
internal static class IdleText
{
    /// <summary>How many stacks at the end of an answer are idle loops that nobody asked for: filters ask.</summary>
    public static int Folded(StackView snapshot) => snapshot.Matching is not null ? 0 : snapshot.Stacks.Count(stack => stack.Idle is not null);

    /// <summary><c>111 idle loops</c>.</summary>
    public static string Count(IEnumerable<LogicalStack> idle) => DisplayText.Count(idle.Sum(stack => stack.Count), "idle loop");

    /// <summary><c>56 Kestrel receive, 55 Kestrel send</c>: most frequent first.</summary>
    public static string Names(IEnumerable<LogicalStack> idle)
        => string.Join(", ", idle.GroupBy(stack => stack.Idle!).Select(loop => (loop.Key, Count: loop.Sum(stack => stack.Count)))
            .OrderByDescending(loop => loop.Count).ThenBy(loop => loop.Key, StringComparer.Ordinal)
            .Select(loop => $"{DisplayText.Number(loop.Count)} {loop.Key}"));

    /// <summary>Writes the line; nothing where there are none.</summary>
    /// <param name="text">Where to.</param>
    /// <param name="idle">The loops that are not shown.</param>
    /// <param name="more">Words for how they are shown.</param>
    public static void Write(StyledText text, IEnumerable<LogicalStack> idle, string more)
    {
        LogicalStack[] loops = [.. idle];
        if (loops.Length == 0)
            return;
        text.Line();
        new Paragraph(text, indent: 0, hanging: 2).Add(TextRole.Dim, $"{text.Look.Ellipsis} {Count(loops)} not shown: {Names(loops)} ({more})").End();
    }
}
