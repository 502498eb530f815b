using Async2.Analysis.Model;

namespace Async2.Analysis.Rendering.Text;

/// <summary>
/// Idle loops of frameworks in one line: most connections of a server wait for their clients, and must not hide
/// stacks with problems.
/// </summary>
public static class IdleText
{
    /// <summary><c>111 idle loops</c>.</summary>
    public static string Count(IEnumerable<LogicalStack> idle) => DisplayText.Count(idle.Sum(stack => stack.Count), "idle loop");

    /// <summary><c>56 Kestrel receive, 55 Kestrel send</c>: most frequent first.</summary>
    public static string Names(IEnumerable<LogicalStack> idle)
        => string.Join(", ", idle.GroupBy(stack => stack.Idle!).Select(loop => (loop.Key, Count: loop.Sum(stack => stack.Count)))
            .OrderByDescending(loop => loop.Count).ThenBy(loop => loop.Key, StringComparer.Ordinal)
            .Select(loop => $"{DisplayText.Number(loop.Count)} {loop.Key}"));
}
