using System.Globalization;
using System.Text.Json;
using Async2.Analysis.Comparison;
using Async2.Analysis.Formatting;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Model.Members;
using Async2.Analysis.Query;
using Async2.Analysis.Rendering.Json;
using Async2.Analysis.Rendering.Text;

namespace Async2.Analysis.Rendering.Tree;

/// <summary>The tree of an answer, split into pages that a viewer can draw one after the other.</summary>
public sealed class TreePages
{
    private const int DefaultSize = 5000;

    private readonly StackView _snapshot;
    private readonly StackTree _tree;
    private readonly List<int> _ends = [];
    private readonly TreeResources _resources;

    /// <param name="snapshot">What is shown.</param>
    /// <param name="limit">Maximum number of stacks; null for all.</param>
    /// <param name="size">Number of nodes and stacks after which a page ends; a stack is never split.</param>
    public TreePages(StackView snapshot, int? limit = null, int size = DefaultSize)
    {
        _snapshot = snapshot;
        _tree = new StackTree(snapshot.Stacks.Take(limit ?? int.MaxValue));
        _resources = TreeResources.Of(snapshot);
        for (int i = 0, nodes = 0, first = 0; i < _tree.Leaves.Count; i++)
        {
            if (_tree.Leaves[i].NodesSoFar - nodes < size && i - first < size)
                continue;
            (nodes, first) = (_tree.Leaves[i].NodesSoFar, i + 1);
            _ends.Add(first);
        }
        if (_ends.Count == 0 || _ends[^1] < _tree.Leaves.Count)
            _ends.Add(_tree.Leaves.Count);
    }

    /// <summary>It is big enough to be compressed.</summary>
    internal bool IsBig => _tree.Nodes.Count > 20_000 || _tree.Leaves.Count > 2_000;

    /// <summary>Number of pages, at least one.</summary>
    public int Count => _ends.Count;

    /// <summary>Writes what each of equal stacks has for itself as a JSON object.</summary>
    /// <param name="equal">The stacks.</param>
    /// <param name="output">Receives UTF-8.</param>
    public static void Write(EqualStacks equal, Stream output) => JsonSerializer.Serialize(output, new EqualRecord(equal), TreeJson.Default.EqualRecord);

    /// <summary>Writes a page as a JSON object.</summary>
    /// <param name="page">Its number, from 0.</param>
    /// <param name="output">Receives UTF-8.</param>
    /// <exception cref="ArgumentOutOfRangeException">There is no such page.</exception>
    public void Write(int page, Stream output)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(page);
        ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual(page, Count);
        JsonSerializer.Serialize(output, PageOf(page), TreeJson.Default.TreePage);
    }

    private TreePage PageOf(int page)
    {
        int first = page == 0 ? 0 : _ends[page - 1];
        (int frameStart, int nodeStart) = UpTo(first);
        (int frameEnd, int nodeEnd) = UpTo(_ends[page]);
        return new TreePage
        {
            Page = page,
            Next = page + 1 < Count ? page + 1 : null,
            Head = page == 0 ? Head() : null,
            Frames = _tree.Frames(frameStart, frameEnd - frameStart),
            Nodes = new NodeColumns(_tree.Nodes.GetRange(nodeStart, nodeEnd - nodeStart).Select(node => node.Frame), Joins(nodeStart, nodeEnd)),
            Stacks = _tree.Leaves.GetRange(first, _ends[page] - first).Select(leaf => StackOf(leaf.Stack, leaf.Node)),
        };
    }

    private IEnumerable<NodeJoin> Joins(int start, int end)
    {
        for (int node = start; node < end; node++)
        {
            if (_tree.Nodes[node].Outer is var outer && outer != node - 1)
                yield return new NodeJoin(node, outer);
        }
    }

    private (int Frames, int Nodes) UpTo(int stack) => stack == 0 ? (0, 0) : (_tree.Leaves[stack - 1].FramesSoFar, _tree.Leaves[stack - 1].NodesSoFar);

    /// <summary>What became of the stacks since an earlier look, which pages say then; null after the first one.</summary>
    public LookChanges? Changes { get; init; }

    /// <summary>That look was chosen, it is not the last one.</summary>
    public bool IsPinned { get; init; }

    private TreeHead Head() => new(
        WireRecords.Of(_snapshot.Target) with { Path = SafeText.Escape(_snapshot.Target.Path) },
        WireRecords.Of(_snapshot.Totals),
        _snapshot.Complete,
        SafeText.Escape(SummaryText.Sentence(_snapshot)),
        _snapshot.Findings.Select(Safe),
        _snapshot.Problems.Select(problem => WireRecords.Of(problem) with { Text = SafeText.Escape(problem.Text) }))
    {
        Edges = _resources.Edges is { Length: > 0 } edges ? edges : null,
        Resources = _resources.Nodes is { Length: > 0 } nodes ? nodes : null,
        Capture = CaptureRecord.Of(_snapshot.Target),
        Notes = _snapshot.Notes.IsDefaultOrEmpty ? null : _snapshot.Notes.Select(note => new NoteRecord(note.Key, SafeText.Escape(note.Text))),
        Since = Changes is { } changes ? new SinceRecord(changes, IsPinned) : null,
    };

    private TreeStack StackOf(LogicalStack stack, int node) => new(stack)
    {
        Node = node,
        Fates = Changes?.ById.GetValueOrDefault(stack.Id) is { } fates ? FatesRecord.Of(fates) : null,
        Locals = stack.Frames.HasLocals ? LocalsOf(stack.Frames) : null,
    };

    private static Dictionary<string, IEnumerable<LocalRecord>> LocalsOf(FrameList frames)
    {
        var locals = new Dictionary<string, IEnumerable<LocalRecord>>();
        for (int i = 0; i < frames.Count; i++)
        {
            if (frames[i].Locals is { IsDefaultOrEmpty: false } found)
                locals[i.ToString(CultureInfo.InvariantCulture)] = MemberRecord.Safe(found);
        }
        return locals;
    }

    private static FindingRecord Safe(Finding finding) => WireRecords.Of(finding) with
    {
        Text = SafeText.Escape(finding.Text),
        Labels = finding.Labels.IsDefaultOrEmpty ? null : finding.Labels.Select(label => WireRecords.Of(label) with
        {
            Name = SafeText.Escape(label.Name),
            Text = SafeText.Escape(FindingLabelFormatter.Line(label)),
            Largest = label.Largest.Select(share => new LabelShareRecord(SafeText.Escape(share.Value), share.Count) { Trace = share.Trace is { } trace ? SafeText.Escape(trace) : null }),
        }),
        Evidence = finding.Evidence.IsDefaultOrEmpty ? null : finding.Evidence.Select(step => WireRecords.Of(step) with
        {
            Text = SafeText.Escape(step.Text),
            Method = step.Method is { } method ? SafeText.Escape(method) : null,
            File = step.File is { } file ? SafeText.Escape(file) : null,
        }),
    };
}
