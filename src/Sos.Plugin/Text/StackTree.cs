using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Rendering.Text;

namespace Async2.Sos.Text;

/// <summary>Groups of stacks that wait for the same and have the same innermost frame, so that they can share parts.</summary>
internal sealed class StackTree
{
    private StackTree(LogicalStack first) => Stacks = [first];

    public List<LogicalStack> Stacks { get; }

    /// <summary>Stacks of all groups.</summary>
    public long Count => Stacks.Sum(stack => stack.Count);

    /// <summary>Makes trees of groups, in the order of the groups.</summary>
    public static List<StackTree> Of(ReadOnlySpan<LogicalStack> groups)
    {
        var trees = new List<StackTree>();
        var known = new Dictionary<(StackState, string?, string?, string?), StackTree>();
        foreach (LogicalStack group in groups)
        {
            string? innermost = group.Frames.Count == 0 ? null : group.Frames.WithoutAddress(0).Method;
            var key = (group.State, group.WaitingOn?.FullText, group.WaitingOn?.Stack, innermost);
            // A cycle is drawn completely; variables belong to one stack.
            bool isAlone = group.State == StackState.Deadlocked || group.Frames.HasLocals;
            if (!isAlone && known.TryGetValue(key, out StackTree? tree) && Alike(tree.Stacks[0], group, 0))
            {
                tree.Stacks.Add(group);
                continue;
            }
            trees.Add(tree = new StackTree(group));
            if (!isAlone)
                known[key] = tree;
        }
        return trees;
    }

    /// <summary>The parts, each before those that continue it.</summary>
    public IEnumerable<StackBranch> Branches()
    {
        var ahead = new Stack<(List<LogicalStack> Stacks, int Start, int Depth)>();
        ahead.Push((Stacks, 0, 0));
        while (ahead.TryPop(out var next))
        {
            (List<LogicalStack> stacks, int start, int depth) = next;
            int end = EndOfCommon(stacks, start);
            yield return new StackBranch(
                stacks[0].Frames.Range(start, end - start), depth, stacks.Sum(stack => stack.Count), stacks.FindAll(stack => stack.Frames.Count == end));
            List<List<LogicalStack>> parts = Parts(stacks.FindAll(stack => stack.Frames.Count > end), end);
            for (int i = parts.Count - 1; i >= 0; i--)
                ahead.Push((parts[i], end, depth + 1));
        }
    }

    private static int EndOfCommon(List<LogicalStack> stacks, int start)
    {
        if (stacks.Count == 1)
            return stacks[0].Frames.Count;
        for (int end = start; ; end++)
        {
            if (end == stacks[0].Frames.Count)
                return end;
            foreach (LogicalStack stack in stacks)
            {
                if (stack.Frames.Count == end || !Alike(stacks[0], stack, end))
                    return end;
            }
        }
    }

    // Biggest first; equal ones keep their order.
    private static List<List<LogicalStack>> Parts(List<LogicalStack> stacks, int at)
    {
        var parts = new List<List<LogicalStack>>();
        foreach (LogicalStack stack in stacks)
        {
            if (parts.Find(part => Alike(part[0], stack, at)) is { } part)
                part.Add(stack);
            else
                parts.Add([stack]);
        }
        return [.. parts.OrderByDescending(part => part.Sum(stack => stack.Count))];
    }

    private static bool Alike(LogicalStack a, LogicalStack b, int at)
        => ReferenceEquals(a, b) || (a.Frames.Count > at && b.Frames.Count > at && FrameFold.IsSameAs(a.Frames.WithoutAddress(at), b.Frames.WithoutAddress(at)));
}

/// <summary>A part that several stacks have in common.</summary>
/// <param name="Frames">Its frames, innermost first.</param>
/// <param name="Depth">Number of branches before it.</param>
/// <param name="Count">Number of stacks that have it.</param>
/// <param name="Ending">Groups that end with it.</param>
internal sealed record StackBranch(FrameList Frames, int Depth, long Count, List<LogicalStack> Ending);
