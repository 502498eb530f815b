using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Rendering.Text;
using Async2.Dump.Dap.Protocol;

namespace Async2.Dump.Dap.Session;

/// <summary>The lines between frames, in the words of the text answer.</summary>
internal static class LabelText
{
    public static string Of(LogicalStack stack, StackLineKind kind, int frame) => kind switch
    {
        StackLineKind.Wait => Wait(stack),
        StackLineKind.Boundary => Boundary(stack, frame),
        StackLineKind.Folded => DisplayText.Count(stack.Frames.FoldedAt(frame), "framework frame"),
        _ => "awaited by " + Ids(stack.AwaitedBy),
    };

    // From the inside out: what comes first is waited for by what comes next.
    private static string Boundary(LogicalStack stack, int frame)
    {
        bool isPhysical = stack.Frames.WithoutAddress(frame).Kind == FrameKind.Thread;
        string thread = stack.Thread is { } id ? DisplayText.Threads(id, stack.Count) : "a thread";
        return !isPhysical ? $"on {thread} so far; awaited by suspended methods" : stack.State == StackState.Active ? $"run by {thread}" : $"blocks {thread}";
    }

    private static string Wait(LogicalStack stack)
    {
        string text = StackEnds.Verb(stack);
        if (stack.WaitingOn is not { Text.Length: > 0 } wait)
            return text;
        text = $"{text} {DapText.Name(wait.FullText)}".TrimStart();
        if (wait.Stack is not null)
            text += wait.Stack == stack.Id ? ", which is this stack's own task: a cycle" : $", see {wait.Stack}";
        return wait.Pending.IsDefaultOrEmpty ? text : $"{text}, pending: {Ids(wait.Pending)}";
    }

    private static string Ids(IEnumerable<string> ids)
    {
        const int most = 20;
        string[] shown = [.. ids.Take(most + 1)];
        return string.Join(", ", shown.Take(most)) + (shown.Length > most ? ", and more" : "");
    }
}
