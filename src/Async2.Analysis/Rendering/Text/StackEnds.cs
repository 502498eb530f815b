using System.Collections.Immutable;
using Async2.Analysis.Model;

namespace Async2.Analysis.Rendering.Text;

/// <summary>
/// The lines at both ends of a stack: what the innermost frame waits for, and what waits for the outermost. If the innermost
/// waits for the outermost itself, a line along the frames joins the two ends.
/// </summary>
public sealed class StackEnds(StyledText text, bool leafFirst)
{
    private bool Ascii => text.Surface.Ascii;

    /// <summary><c>SemaphoreSlim</c>; null if it is unknown or nothing is awaited.</summary>
    public static string? WaitOf(LogicalStack stack)
        => stack.WaitingOn is { Text.Length: > 0 } wait ? DisplayText.Head(wait.Text) : null;

    /// <summary>Text before each frame of a stack.</summary>
    public string Margin(LogicalStack stack) => !IsCycle(stack) ? "  " : Ascii ? "| " : "\u2502 ";

    /// <summary>Writes the line at the innermost end.</summary>
    public void WriteInner(LogicalStack stack)
    {
        bool isCycle = IsCycle(stack);
        string corner = leafFirst ? "\u250c\u2500 " : "\u2514\u2500 ";
        Paragraph line = Start(isCycle, Ascii ? isCycle ? "+- " : "-> " : corner);
        string verb = Verb(stack);
        line.Add(verb);
        if (stack.WaitingOn is { Text.Length: > 0 } wait)
        {
            line.Add(verb.Length == 0 ? "" : " ").Add(TextRole.Wait, wait.FullText);
            if (wait.Address is ulong address)
                line.Add("  ").Add(TextRole.Address, DisplayText.Hex(address));
            if (isCycle)
                line.Add("  ").Add(TextRole.Error, $"back to the outermost frame {(leafFirst ? "below" : "above")}: a cycle");
            else if (wait.Stack is not null)
                line.Add("  see ").Add(TextRole.Address, wait.Stack);
            AddIds(line, "  pending: ", Others(stack, wait.Pending));
        }
        line.End();
    }

    /// <summary>Writes the line at the outermost end; none if nothing waits for it.</summary>
    public void WriteOuter(LogicalStack stack)
    {
        bool isCycle = IsCycle(stack);
        ImmutableArray<string> waiters = Others(stack, stack.AwaitedBy);
        if (waiters.IsEmpty && !isCycle)
            return;
        string corner = (leafFirst ? "\u2514" : "\u250c") + (isCycle ? "> " : "\u2500 ");
        Paragraph line = Start(isCycle, Ascii ? isCycle ? "+> " : "<- " : corner);
        if (isCycle)
            line.Add(TextRole.Error, $"awaited by the innermost frame {(leafFirst ? "above" : "below")}");
        AddIds(line, isCycle ? ", and by " : "awaited by ", waiters);
        line.End();
    }

    // It waits for the task that its own outermost frame completes, alone or with others.
    private static bool IsCycle(LogicalStack stack) => stack is { State: StackState.Deadlocked, WaitingOn: { } wait }
        && (wait.Stack == stack.Id || (!wait.Pending.IsDefault && wait.Pending.Contains(stack.Id)));

    // That it waits for itself is drawn.
    private static ImmutableArray<string> Others(LogicalStack stack, ImmutableArray<string> ids)
        => ids.IsDefaultOrEmpty ? [] : IsCycle(stack) ? ids.Remove(stack.Id) : ids;

    // In a cycle the corner is below or above the line, else aligned with the frames.
    private Paragraph Start(bool isCycle, string corner)
        => (isCycle ? new Paragraph(text, indent: 0, hanging: 3) : new Paragraph(text, indent: 2, hanging: 5)).Add(TextRole.Dim, corner);

    private static void AddIds(Paragraph line, string words, ImmutableArray<string> ids)
    {
        if (ids.IsEmpty)
            return;
        line.Add(TextRole.Dim, words);
        for (int i = 0; i < ids.Length; i++)
            line.Add(TextRole.Dim, i == 0 ? "" : ", ").Add(TextRole.Address, ids[i]);
    }

    /// <summary>Text before what a stack waits for: <c>waits for</c>; empty if that text is complete by itself.</summary>
    public static string Verb(LogicalStack stack)
    {
        bool known = stack.WaitingOn is { Text.Length: > 0 };
        if (stack.WaitingOn is { IsDone: true })
            return stack.State == StackState.Blocked ? Keeps(stack).TrimEnd() : "";
        return stack.State switch
        {
            StackState.Active when !known => "running" + OnThread(stack),
            StackState.Scheduled when !known => "ready to run, queued",
            StackState.Completed when !known => "finished, still on the heap",
            StackState.Scheduled => "ready to run, queued; it waited for",
            StackState.Blocked => Keeps(stack) + (known ? "waits for" : "what it waits for is not known"),
            StackState.Active => "running" + OnThread(stack) + " in",
            _ => known ? "waits for" : "what it waits for is not known",
        };
    }

    private static string Keeps(LogicalStack stack) => stack.Thread is int thread ? $"keeps {DisplayText.Threads(thread, stack.Count)} blocked; " : "";

    private static string OnThread(LogicalStack stack) => stack.Thread is int thread ? " on " + DisplayText.Threads(thread, stack.Count) : "";
}
