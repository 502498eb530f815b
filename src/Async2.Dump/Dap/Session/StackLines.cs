using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;

namespace Async2.Dump.Dap.Session;

/// <summary>Kind of a line in a frame list.</summary>
internal enum StackLineKind
{
    /// <summary>A frame.</summary>
    Frame,

    /// <summary>What the stack does or waits for: the first line.</summary>
    Wait,

    /// <summary>Between frames of a thread and suspended ones.</summary>
    Boundary,

    /// <summary>The number of folded frames of .NET: before the frame that called them.</summary>
    Folded,

    /// <summary>What waits for the stack: the last line, if there is something.</summary>
    AwaitedBy,
}

/// <summary>
/// A stack as a list of lines, innermost first: frames, and labels between them. Only the places of labels are stored, so
/// any part of a stack of a million frames is found at once.
/// </summary>
internal sealed class StackLines
{
    // Labels with the frames that they precede, ascending.
    private readonly List<(int Frame, StackLineKind Kind)> _labels = [];

    public StackLines(LogicalStack stack)
    {
        Stack = stack;
        // Only if a thread is involved: otherwise all frames are suspended.
        bool mayChange = stack.Thread is not null;
        for (int i = 0; i < stack.Frames.Count; i++)
        {
            if (mayChange && i > 0 && IsPhysical(i) != IsPhysical(i - 1))
                _labels.Add((i, StackLineKind.Boundary));
            if (stack.Frames.FoldedAt(i) > 0)
                _labels.Add((i, StackLineKind.Folded));
        }
        IsAwaited = !stack.AwaitedBy.IsDefaultOrEmpty;
    }

    public LogicalStack Stack { get; }

    /// <summary>The number of lines.</summary>
    public int Count => 1 + Stack.Frames.Count + _labels.Count + (IsAwaited ? 1 : 0);

    private bool IsAwaited { get; }

    /// <summary>A line.</summary>
    /// <returns>Its kind, and the frame that it is or precedes.</returns>
    public (StackLineKind Kind, int Frame) this[int line]
    {
        get
        {
            if (line == 0)
                return (StackLineKind.Wait, 0);
            if (IsAwaited && line == Count - 1)
                return (StackLineKind.AwaitedBy, Stack.Frames.Count - 1);
            int labels = LabelsUpTo(line);
            return labels > 0 && LineOfLabel(labels - 1) == line ? (_labels[labels - 1].Kind, _labels[labels - 1].Frame) : (StackLineKind.Frame, line - 1 - labels);
        }
    }

    /// <summary>Line of a frame.</summary>
    public int LineOf(int frame) => 1 + frame + LabelsUpTo(label => _labels[label].Frame <= frame);

    /// <summary>The frame is on a thread's own stack.</summary>
    public bool IsPhysical(int frame) => Stack.Frames.WithoutAddress(frame).Kind == FrameKind.Thread;

    private int LineOfLabel(int label) => 1 + _labels[label].Frame + label;

    // The number of labels up to a line.
    private int LabelsUpTo(int line) => LabelsUpTo(label => LineOfLabel(label) <= line);

    private int LabelsUpTo(Predicate<int> isBefore)
    {
        int low = 0, high = _labels.Count;
        while (low < high)
        {
            int middle = (low + high) / 2;
            if (isBefore(middle))
                low = middle + 1;
            else
                high = middle;
        }
        return low;
    }
}
