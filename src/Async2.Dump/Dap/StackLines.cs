using Async2.Analysis.Stacks;

namespace Async2.Dump.Dap;

/// <summary>What a line in a list of frames is.</summary>
internal enum StackLineKind
{
    /// <summary>A frame.</summary>
    Frame,

    /// <summary>What the stack does or waits for: the first line.</summary>
    Wait,

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
    // Frames with a label before them, ascending.
    private readonly List<int> _folded = [];

    public StackLines(LogicalStack stack)
    {
        Stack = stack;
        for (int i = 0; i < stack.Frames.Count; i++)
        {
            if (stack.Frames.FoldedAt(i) > 0)
                _folded.Add(i);
        }
        IsAwaited = !stack.AwaitedBy.IsDefaultOrEmpty;
    }

    public LogicalStack Stack { get; }

    /// <summary>How many lines.</summary>
    public int Count => 1 + Stack.Frames.Count + _folded.Count + (IsAwaited ? 1 : 0);

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
            return labels > 0 && LineOfLabel(labels - 1) == line ? (StackLineKind.Folded, _folded[labels - 1]) : (StackLineKind.Frame, line - 1 - labels);
        }
    }

    /// <summary>Line of a frame.</summary>
    public int LineOf(int frame)
    {
        int index = _folded.BinarySearch(frame);
        return 1 + frame + (index >= 0 ? index + 1 : ~index);
    }

    private int LineOfLabel(int label) => 1 + _folded[label] + label;

    // How many labels are on a line or before it.
    private int LabelsUpTo(int line)
    {
        int low = 0, high = _folded.Count;
        while (low < high)
        {
            int middle = (low + high) / 2;
            if (LineOfLabel(middle) <= line)
                low = middle + 1;
            else
                high = middle;
        }
        return low;
    }
}
