using Async2.Analysis.Model;
using Async2.Analysis.Model.Ages;

namespace Async2.Analysis.Rendering.Text;

/// <summary>One stack, or one group of equal stacks: a header, the frames, and at its ends what it waits for and what waits for it.</summary>
public sealed class GroupText(StyledText text, FrameLines frames, bool leafFirst)
{
    private readonly StackEnds _ends = new(text, leafFirst);
    private bool _hasAges;

    /// <summary>Says each age that is known, not only those of what has waited for long.</summary>
    public bool AllAges { get; init; }

    /// <summary>Says by which clock an age is known.</summary>
    public bool Clocks { get; init; }

    /// <summary>Writes a stack after an empty line.</summary>
    public void Write(LogicalStack stack)
    {
        text.Line();
        WriteHeader(stack, isFull: true).End();
        if (LabelLine.Of(stack) is { } labels)
            new Paragraph(text, indent: 2, hanging: 4).Add(TextRole.Dim, labels).End();
        string margin = _ends.Margin(stack);
        if (leafFirst)
            _ends.WriteInner(stack);
        else
            _ends.WriteOuter(stack);
        frames.Write(stack.Frames, margin);
        if (leafFirst)
            _ends.WriteOuter(stack);
        else
            _ends.WriteInner(stack);
    }

    /// <summary>Writes a stack as one line: its header and its innermost frame.</summary>
    public void WriteShort(LogicalStack stack)
    {
        Paragraph line = WriteHeader(stack, isFull: false);
        if (stack.Frames.Count > 0)
        {
            line.Add("  ");
            frames.AddTo(line, stack.Frames[0]);
        }
        line.End();
    }

    /// <summary>After the stacks of a dump says to which moment their ages count, if any was said.</summary>
    public void WriteMoment(TargetFacts target)
    {
        if (_hasAges)
            AgeText.WriteMoment(text, target);
    }

    private void AddAge(Paragraph header, LogicalStack stack)
    {
        if (AgeText.Of(stack, AllAges, Clocks) is not { } age)
            return;
        _hasAges |= stack.Age!.Clock != AgeClock.TwoLooks;
        header.Add("  ").Keep(TextRole.Dim, age);
    }

    private Paragraph WriteHeader(LogicalStack stack, bool isFull)
    {
        Paragraph header = new Paragraph(text)
            .Add(TextRole.Count, DisplayText.Number(stack.Count) + "x")
            .Add("  ").Add(stack.State == StackState.Deadlocked ? TextRole.Error : TextRole.State, DisplayText.Of(stack.State));
        if (StackEnds.WaitOf(stack) is string wait)
            header.Add("  ").Add(TextRole.Wait, wait);
        if (stack.Thread is int thread)
            header.Add("  ").Keep(TextRole.Dim, DisplayText.Threads(thread, stack.Count));
        header.Add("  ").Add(TextRole.Address, stack.Id);
        AddAge(header, stack);
        if (isFull && stack.Task is ulong task)
            header.Add("  ").Keep(TextRole.Dim, "task ").Keep(TextRole.Address, DisplayText.Hex(task));
        if (isFull && stack.Count > 1 && stack.Frames.HasLocals)
            header.Add("  ").Add(TextRole.Dim, "(locals of the first)");
        return header;
    }
}
