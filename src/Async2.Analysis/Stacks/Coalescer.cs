using System.Collections.Immutable;

namespace Async2.Analysis.Stacks;

/// <summary>
/// Collects drafts into groups of equal stacks; only the first of a group keeps its frames. Equal means: the same frames in the
/// same state, waiting for the same; where that is another stack, for one of the same group.
/// </summary>
internal sealed class Coalescer(FrameTable table, bool coalesce, int nodeCount)
{
    // In place of the number of an awaited group.
    private const int Itself = -1;

    private readonly Dictionary<StackKey, StackGroup> _groups = [];
    private readonly List<StackGroup> _all = [];
    private readonly int[] _groupOfNode = new int[nodeCount];

    public long Stacks { get; private set; }

    public long Frames { get; private set; }

    public IReadOnlyList<StackGroup> Groups => _all;

    public void Add(StackDraft draft)
    {
        Stacks++;
        Frames += draft.Frames.Count;
        var signature = new StackSignature();
        foreach (StackFrame frame in draft.Frames)
        {
            signature.Add(table[frame.Id].Canonical);
            signature.Add(frame.Folded);
        }
        var key = new StackKey(signature.Value, draft.State, draft.WaitingOn?.Text, AwaitedGroup(draft));
        if (!coalesce || !_groups.TryGetValue(key, out StackGroup? group))
        {
            group = new StackGroup(draft, key, _all.Count);
            _all.Add(group);
            _groups[key] = group;
        }
        group.Count++;
        group.Remember(draft.WaitingOn?.Address);
        foreach (int node in draft.Nodes)
            _groupOfNode[node] = group.Order + 1;
    }

    // What is waited for from outside has been added before; a circle waits for itself.
    private int AwaitedGroup(StackDraft draft)
        => draft.WaitsForNode < 0 ? 0 : draft.State == StackState.Deadlocked ? Itself : _groupOfNode[draft.WaitsForNode];

    /// <summary>The group that shows a node; null for one without frames.</summary>
    public StackGroup? GroupOf(int node) => _groupOfNode[node] is > 0 and var number ? _all[number - 1] : null;
}

/// <summary>What equal stacks have in common.</summary>
/// <param name="Frames">Value of the <see cref="StackSignature"/>.</param>
/// <param name="State">What they do.</param>
/// <param name="WaitText">What they wait for, in words.</param>
/// <param name="AwaitedGroup">Number of the group that they wait for; 0 for none.</param>
internal readonly record struct StackKey((ulong A, ulong B, int Length) Frames, StackState State, string? WaitText, int AwaitedGroup);

/// <summary>Equal stacks.</summary>
internal sealed class StackGroup(StackDraft first, StackKey key, int order)
{
    private readonly List<ulong> _awaited = [];

    public StackKey Key { get; } = key;

    public long Count { get; set; }

    /// <summary>Order of discovery.</summary>
    public int Order { get; } = order;

    public ImmutableArray<StackFrame> Frames { get; } = [.. first.Frames];

    public StackState State { get; } = first.State;

    public WaitingOn? WaitingOn { get; } = first.WaitingOn;

    /// <summary>What the first members wait for.</summary>
    public IReadOnlyList<ulong> Awaited => _awaited;

    public int WaitsForNode { get; } = first.WaitsForNode;

    public int WaitsForCombinator { get; } = first.WaitsForCombinator;

    public int? Thread { get; } = first.Thread;

    public ulong Task { get; } = first.Task;

    public void Remember(ulong? awaited)
    {
        if (awaited is { } address && _awaited.Count < WaitDetails.MemberLimit)
            _awaited.Add(address);
    }
}
