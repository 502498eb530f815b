using System.Globalization;
using System.Text;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;

namespace Async2.Tests.Support;

/// <summary>
/// Stacks as a test expects them: <c>s1 x3 awaiting Task.Delay -> s2: Shop.Pay:17 &lt; Shop.Main:5</c>, innermost first. A count of
/// one and what is not known are left out; an elided frame stands in brackets, a thread's between bars; <c>+2</c>: so many folded before it. Codes of problems come last.
/// </summary>
internal static class StackText
{
    public static string Of(IEnumerable<LogicalStack> stacks, IEnumerable<Problem> problems)
        => string.Join('\n', [.. stacks.Select(One), .. problems.Select(p => "! " + p.Code)]);

    private static string One(LogicalStack stack)
    {
        var text = new StringBuilder(stack.Id);
        if (stack.Count != 1)
            text.Append(CultureInfo.InvariantCulture, $" x{stack.Count}");
        text.Append(' ').Append(stack.State.ToString().ToLowerInvariant());
        if (stack.Thread is { } thread)
            text.Append(CultureInfo.InvariantCulture, $" on {thread}");
        if (stack.WaitingOn is { Text: not "unknown" } wait)
            text.Append(' ').Append(wait.Text);
        if (stack.WaitingOn?.Stack is { } awaited)
            text.Append(" -> ").Append(awaited);
        if (stack.WaitingOn is { Pending: { IsEmpty: false } pending })
            text.Append(" -> ").AppendJoin('+', pending);
        return text.Append(": ").AppendJoin(" < ", stack.Frames.Select(Frame)).ToString();
    }

    private static string Frame(LogicalFrame frame)
    {
        string text = frame.Line is { } line ? string.Create(CultureInfo.InvariantCulture, $"{frame.Method}:{line}") : frame.Method;
        string shown = frame.Kind switch { FrameKind.Elided => $"({text})", FrameKind.Thread => $"|{text}|", _ => text };
        return frame.Folded > 0 ? $"+{frame.Folded} {shown}" : shown;
    }
}
