using Async2.Analysis.Stacks;

namespace Async2.Analysis.Rendering;

/// <summary>What a stack waits for, in a word for headers and in full for its own line.</summary>
internal static class WaitText
{
    /// <summary><c>SemaphoreSlim</c>; null when it is not known or nothing is awaited.</summary>
    public static string? Short(LogicalStack stack)
        => stack.WaitingOn is { Text.Length: > 0 } wait ? Words.Head(wait.Text) : null;

    /// <summary>Writes the line at the innermost end of a stack.</summary>
    public static void WriteLine(StyledText text, LogicalStack stack, bool leafFirst)
    {
        string corner = text.Look.Ascii ? "-> " : leafFirst ? "\u250c\u2500 " : "\u2514\u2500 ";
        Paragraph line = new Paragraph(text, indent: 2, hanging: 5).Add(TextRole.Dim, corner).Add(Verb(stack));
        if (stack.WaitingOn is { Text.Length: > 0 } wait)
        {
            line.Add(" ").Add(TextRole.Wait, wait.Text);
            if (wait.Address is ulong address)
                line.Add("  ").Add(TextRole.Address, Words.Hex(address));
            if (wait.Stack is not null)
                line.Add("  see ").Add(TextRole.Address, wait.Stack);
        }
        line.End();
    }

    private static string Verb(LogicalStack stack)
    {
        bool known = stack.WaitingOn is { Text.Length: > 0 };
        return stack.State switch
        {
            StackState.Active when !known => "running" + OnThread(stack),
            StackState.Scheduled when !known => "ready to run, queued",
            StackState.Completed when !known => "finished, kept alive by a reference",
            StackState.Scheduled => "ready to run, queued; it waited for",
            StackState.Blocked => known ? "blocks" + OnThread(stack) + " in" : "blocks" + OnThread(stack),
            StackState.Active => "running" + OnThread(stack) + " in",
            _ => known ? "waits for" : "what it waits for is not known",
        };
    }

    private static string OnThread(LogicalStack stack)
        => stack.Thread is int thread ? " on thread " + Words.Number(thread) : "";
}
