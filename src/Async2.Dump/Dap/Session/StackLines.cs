using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;

namespace Async2.Dump.Dap.Session;

/// <summary>What a line in a list of frames is.</summary>
internal enum StackLineKind
{
    /// <summary>A frame.</summary>
    Frame,

    /// <summary>What the stack does or waits for: the first line.</summary>
    Wait,

    /// <summary>Between frames of a thread and suspended ones.</summary>
    Boundary,

    /// <summary>How many frames of .NET are folded: before the frame that called them.</summary>
    Folded,

    /// <summary>Who waits for the stack: the last line, where there is somebody.</summary>
    AwaitedBy,
}

/// <summary>
/// A stack as a list of lines, innermost first: frames, and labels between them. Which line is where, is computed from the places of
/// labels alone, so any part of a stack of a million frames is found at once.
/// </summary>
internal sealed class StackLines
{
    // Labels, and the frames that they stand before, ascending.
    private readonly List<(int Frame, StackLineKind Kind)> _labels = [];

    public StackLines(LogicalStack stack)
    {
        Stack = stack;
        // Only where a thread takes part: all other frames are suspended ones.
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

    /// <summary>How many lines.</summary>
    public int Count => 1 + Stack.Frames.Count + _labels.Count + (IsAwaited ? 1 : 0);

    private bool IsAwaited { get; }

    /// <summary>A line.</summary>
    /// <returns>What it is, and the frame that it is or stands before.</returns>
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
    public bool IsPhysical(int frame) => Stack.Frames.LookOf(frame).Kind == FrameKind.Thread;

    private int LineOfLabel(int label) => 1 + _labels[label].Frame + label;

    // How many labels are on a line or before it.
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
