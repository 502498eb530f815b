using Async2.Analysis.Awaiters;
using Async2.Analysis.Model;
using Async2.Analysis.Query;
using Async2.Analysis.Rendering.Formats;
using Async2.Analysis.Rendering.Text;

namespace Async2.Sos.Text;

/// <summary>
/// Equal stacks, and equal parts of stacks, once with a count: a tree for each thing that is waited for, growing
/// outwards. Only branches are indented, so that depth costs no width.
/// </summary>
internal sealed class StackTrees(ConsoleText text, ObjectTypes types)
{
    private const int DeepestIndent = 16;

    private readonly StackEnds _ends = new(text, leafFirst: true);
    private long _count;
    private bool _allAges;

    public void Write(StackView snapshot, StackQuery query)
    {
        _allAges = query.AsksForAges;
        var shown = ShownStacks.Of(snapshot, query.Limit);
        (StackSection? Section, List<StackTree> Trees)[] parts = [.. shown.Parts(query.GroupBy).Select(part => (part.Section, StackTree.Of(part.Stacks.AsSpan())))];
        List<StackTree> trees = [.. parts.SelectMany(part => part.Trees)];
        var names = new Dictionary<string, string>();
        for (int i = 0; i < trees.Count; i++)
        {
            foreach (LogicalStack stack in trees[i].Stacks)
                names[stack.Id] = $"STACKS {i + 1}";
        }
        int countWidth = trees.Count == 0 ? 0 : trees.Max(tree => DisplayText.Number(tree.Count).Length) + 2;
        var frames = new FrameLines(text, leafFirst: true, ObjectColumn.Of(types, countWidth, () => _count));
        foreach ((StackSection? section, List<StackTree> ofSection) in parts)
        {
            SectionHeading.Write(text, section, shown);
            foreach (StackTree tree in ofSection)
                Write(tree, frames, id => names.GetValueOrDefault(id, "a stack that is not shown"));
        }
        shown.WriteRest(text, "filters and --json show them");
        TextRenderer.WriteLegend(text, frames.Marks);
    }

    private void Write(StackTree tree, FrameLines frames, Func<string, string> rename)
    {
        LogicalStack first = StackLists.Renamed(tree.Stacks[0], rename);
        // The tree does not show what differs between its stacks.
        LogicalStack root = tree.Stacks.Count == 1 ? first with { Count = tree.Count } : first with { Count = tree.Count, Thread = null, Task = null, Age = null, Labels = [] };
        StackHeader.Write(text, root.Id, root, _allAges);
        _ends.WriteInner(root);
        foreach (StackBranch branch in tree.Branches())
        {
            _count = branch.Count;
            string margin = _ends.Margin(root) + new string(' ', 2 * Math.Min(branch.Depth, DeepestIndent));
            frames.Write(branch.Frames, margin);
            foreach (LogicalStack end in branch.Ending)
                _ends.WriteOuter(StackLists.Renamed(end, rename));
        }
    }
}
