using System.Collections.Immutable;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Model.Graph;

namespace Async2.Analysis.Model;

/// <summary>
/// All that was read of one moment of a target: nodes, who waits for whom, every logical stack, what each waits for. It is read once
/// and asked as often as one likes. Columns, not objects: a million frames cost some 12 MB. Nothing in it refers to the target.
/// </summary>
public sealed record AsyncModel
{
    private readonly ModelColumns _columns;
    private StackKeys? _keys;

    internal AsyncModel(ModelColumns columns) => _columns = columns;

    /// <summary>Facts about the target.</summary>
    public required TargetFacts Target { get; init; }

    /// <summary>What could not be read or decided.</summary>
    public ImmutableArray<Problem> Problems { get; init; } = [];

    /// <summary>False when the reader knows that stacks are missing (interrupted, broken heap, no heap in the dump).</summary>
    public required bool Complete { get; init; }

    /// <summary>The distinct frames, by the number of their place.</summary>
    public required ImmutableArray<FramePlace> Places { get; init; }

    /// <summary>How many logical stacks there are, equal ones counted one by one.</summary>
    public int StackCount => Stacks.Rows.Count;

    internal NodeTable Nodes => _columns.Nodes;

    internal AsyncGraph Graph => _columns.Graph;

    internal StackTable Stacks => _columns.Stacks;

    internal FrameLinks Links => _columns.Links;

    internal IReadOnlyDictionary<ulong, WaitReason> Reasons => _columns.Reasons;

    internal IReadOnlyDictionary<ulong, WaitResource> Resources => _columns.Resources;

    internal ObjectTypeTable Types => _columns.Types;

    /// <summary>The semaphore, lock, channel or pool that a stack waits for; null when there is none, or what it awaited has happened.</summary>
    internal WaitResource? ResourceOf(int stack)
    {
        StackRow row = Stacks.Rows[stack];
        if (row.WaitAddress == 0 || Resources.Count == 0 || row.State is StackState.Scheduled or StackState.Active)
            return null;
        return Resources.TryGetValue(row.WaitAddress, out WaitResource? own) ? own
            : Reasons.TryGetValue(row.WaitAddress, out WaitReason? reason) ? Resources.GetValueOrDefault(reason.Resource) : null;
    }

    /// <summary>
    /// Key of a stack: the same in every run of one build, whatever its addresses, its state and how many are like it. Stacks with the
    /// same frames that wait for the same kind of thing have the same key.
    /// </summary>
    /// <param name="stack">Number of the stack, below <see cref="StackCount"/>.</param>
    public string KeyOf(int stack) => (_keys ??= new StackKeys(Places, Stacks)).Of(stack);

    /// <summary>Address of the task that completes when the outermost frame of a stack returns; 0 when there is none.</summary>
    internal ulong TaskOf(int stack)
    {
        if ((Stacks.Rows[stack].Marks & StackMarks.IsTaskLast) == 0)
            return Stacks.Tasks.GetValueOrDefault(stack);
        return Nodes.Addresses[Stacks.NodeOf(stack, Stacks.NodeCount(stack) - 1)];
    }

    /// <summary>Managed id of the thread that runs or blocks in a stack; null when none does.</summary>
    internal int? ThreadOf(int stack)
    {
        for (int i = 0; i < Stacks.NodeCount(stack); i++)
        {
            if (Nodes.ThreadOf(Stacks.NodeOf(stack, i)) is { } thread)
                return thread;
        }
        return null;
    }

    /// <summary>The node, which may be a combinator, that a stack waits for; -1 for none.</summary>
    internal int WaitsFor(int stack)
    {
        if (Stacks.HeldBy.Count > 0 && Stacks.HeldBy.TryGetValue(stack, out int holder))
            return holder;
        int node = Stacks.NodeOf(stack, 0);
        return node < Graph.Count ? Graph.Awaits(node) : -1;
    }

    /// <summary>The node that a stack waits for, unless that is a combinator; -1 for none.</summary>
    internal int WaitsForNode(int stack) => WaitsFor(stack) is var node && !Graph.IsCombinator(node) ? node : -1;
}
