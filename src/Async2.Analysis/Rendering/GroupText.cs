using Async2.Analysis.Stacks;

namespace Async2.Analysis.Rendering;

/// <summary>One stack, or one group of equal stacks: a header, the frames, and what the innermost of them waits for.</summary>
internal static class GroupText
{
    /// <summary>Writes a stack with an empty line before it.</summary>
    public static void Write(StyledText text, FrameLines frames, LogicalStack stack, bool leafFirst)
    {
        text.Line();
        WriteHeader(text, stack);
        if (leafFirst)
            WaitText.WriteLine(text, stack, leafFirst);
        frames.Write(stack.Frames);
        if (!leafFirst)
            WaitText.WriteLine(text, stack, leafFirst);
    }

    private static void WriteHeader(StyledText text, LogicalStack stack)
    {
        Paragraph header = new Paragraph(text)
            .Add(TextRole.Count, Words.Number(stack.Count) + "x")
            .Add("  ").Add(stack.State == StackState.Deadlocked ? TextRole.Error : TextRole.State, Words.Of(stack.State));
        if (WaitText.Short(stack) is string wait)
            header.Add("  ").Add(TextRole.Wait, wait);
        if (stack.Thread is int thread)
            header.Add("  ").Keep(TextRole.Dim, "thread ").Keep(TextRole.Address, Words.Number(thread));
        header.Add("  ").Add(TextRole.Address, stack.Id);
        if (stack.Task is ulong task)
            header.Add("  ").Keep(TextRole.Dim, "task ").Keep(TextRole.Address, Words.Hex(task));
        header.End();
    }
}
