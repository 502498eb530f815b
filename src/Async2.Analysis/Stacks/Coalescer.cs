using System.Collections.Immutable;

namespace Async2.Analysis.Stacks;

/// <summary>Collects drafts into groups of equal stacks; only the first of a group keeps its frames.</summary>
internal sealed class Coalescer(FrameTable table, bool coalesce, int chainCount)
{
    private readonly Dictionary<(ulong, ulong, int, StackState, string?), StackGroup> _groups = [];
    private readonly List<StackGroup> _all = [];
    private readonly int[] _groupOfChain = new int[chainCount];

    public long Stacks { get; private set; }

    public long Frames { get; private set; }

    public IReadOnlyList<StackGroup> Groups => _all;

    public void Add(StackDraft draft)
    {
        Stacks++;
        Frames += draft.Frames.Count;
        var signature = new StackSignature();
        foreach (StackFrame frame in draft.Frames)
            signature.Add(table[frame.Id].Canonical);
        (ulong a, ulong b, int length) = signature.Value;
        var key = (a, b, length, draft.State, draft.WaitingOn?.Text);
        if (!coalesce || !_groups.TryGetValue(key, out StackGroup? group))
        {
            group = new StackGroup(draft, _all.Count);
            _all.Add(group);
            _groups[key] = group;
        }
        group.Count++;
        foreach (int chain in draft.Chains)
            _groupOfChain[chain] = group.Order + 1;
    }

    /// <summary>The group that shows a chain; null for a chain without frames.</summary>
    public StackGroup? GroupOf(int chain) => _groupOfChain[chain] is > 0 and var number ? _all[number - 1] : null;
}

/// <summary>Equal stacks.</summary>
internal sealed class StackGroup(StackDraft first, int order)
{
    public long Count { get; set; }

    /// <summary>Order of discovery.</summary>
    public int Order { get; } = order;

    public ImmutableArray<StackFrame> Frames { get; } = [.. first.Frames];

    public StackState State { get; } = first.State;

    public WaitingOn? WaitingOn { get; } = first.WaitingOn;

    public int WaitsForChain { get; } = first.WaitsForChain;

    public int? Thread { get; } = first.Thread;

    public ulong Task { get; } = first.Task;
}
