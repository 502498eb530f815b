using System.Globalization;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Rendering.Text;

namespace Async2.Analysis.Rendering.Tree;

/// <summary>
/// All stacks of an answer merged from their outermost frames: a tree in which each node is a frame at its place, so that
/// 10,000 stacks with the same callers share them. Recursion is one node with a count.
/// </summary>
internal sealed class StackTree
{
    // Recursion is already folded; a stack that is still deeper keeps this many frames at either end.
    private const int LongestEnd = 1000;

    private readonly Dictionary<(int Outer, int Frame), int> _children = [];
    private readonly Dictionary<LogicalFrame, int> _byLook = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<TreeFrame, int> _byContent = [];
    private readonly List<TreeFrame> _frames = [];
    private readonly List<int> _folded = [];

    /// <summary>Merges stacks in their order, so that nodes of the first stack come first.</summary>
    public StackTree(IEnumerable<LogicalStack> stacks)
    {
        foreach (LogicalStack stack in stacks)
            Leaves.Add((stack, Add(stack), _frames.Count, Nodes.Count));
    }

    /// <summary>
    /// Some of the distinct frames. Frames that differ only in folded frames are one, because readers that compare visible content
    /// would confuse two nodes; it has the largest number of folded frames.
    /// </summary>
    public IEnumerable<TreeFrame> Frames(int start, int count)
    {
        for (int i = start; i < start + count; i++)
            yield return _folded[i] == 0 ? _frames[i] : _frames[i] with { Folded = _folded[i] };
    }

    /// <summary>Nodes: a frame, and its caller's node, which comes before it; -1 for none.</summary>
    public List<(int Frame, int Outer)> Nodes { get; } = [];

    /// <summary>The stacks, the innermost node of each, and the number of frames and nodes up to it.</summary>
    public List<(LogicalStack Stack, int Node, int FramesSoFar, int NodesSoFar)> Leaves { get; } = [];

    private int Add(LogicalStack stack)
    {
        FrameList frames = stack.Frames.Reversed();
        int node = -1;
        List<FrameRun> runs = FrameFold.Fold(frames);
        for (int i = 0; i < runs.Count; i++)
        {
            if (i == LongestEnd && runs.Count > 2 * LongestEnd)
            {
                int left = runs.Count - (2 * LongestEnd), start = runs[i].Start, end = runs[i + left].Start;
                node = NodeOf(node, FrameOf(new TreeFrame(frames.WithoutAddress(start)) with { Frames = end - start, Repeat = DisplayText.Count(end - start, "frame") + " left out" }));
                i += left;
            }
            node = Add(frames, runs[i], node);
        }
        return node;
    }

    private int Add(FrameList frames, FrameRun run, int node)
    {
        for (int i = 0; i < run.Period; i++)
            node = NodeOf(node, FrameOf(frames.WithoutAddress(run.Start + i)));
        if (run.Repeats == 1)
            return node;
        int times = run.Repeats - 1;
        string repeat = string.Create(CultureInfo.InvariantCulture, $"{DisplayText.Count(run.Period, "frame")}, {DisplayText.Number(times)} more times");
        return NodeOf(node, FrameOf(new TreeFrame(frames.WithoutAddress(run.Start + run.Period - 1)) with { Frames = run.Period * times, Repeat = repeat }));
    }

    private int NodeOf(int outer, int frame)
    {
        if (!_children.TryGetValue((outer, frame), out int node))
        {
            _children[(outer, frame)] = node = Nodes.Count;
            Nodes.Add((frame, outer));
        }
        return node;
    }

    // Equal frames are usually one object; comparing their contents costs more than everything else.
    private int FrameOf(LogicalFrame look)
    {
        if (!_byLook.TryGetValue(look, out int number))
            _byLook[look] = number = FrameOf(new TreeFrame(look));
        return number;
    }

    private int FrameOf(TreeFrame row)
    {
        TreeFrame seen = row with { Folded = null };
        if (!_byContent.TryGetValue(seen, out int number))
        {
            _byContent[seen] = number = _frames.Count;
            _frames.Add(seen);
            _folded.Add(0);
        }
        _folded[number] = Math.Max(_folded[number], row.Folded ?? 0);
        return number;
    }
}
