using System.Collections.Immutable;
using Async2.Analysis.Model.Ages;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Model.Graph;
using Async2.Analysis.Model.Labels;
using Async2.Analysis.Model.Members;

namespace Async2.Analysis.Model;

/// <summary>
/// Everything that was read of a target at one moment: nodes, what waits for what, every logical stack, and what each waits for. It is read once
/// and can be queried any number of times, by several threads at once. It consists of columns, not objects: a million frames take about 12 MB. It has no reference to the target.
/// </summary>
public sealed record AsyncModel
{
    private StackKeys? _keys;

    internal AsyncModel(ModelColumns columns) => Columns = columns;

    private ModelColumns Columns { get; init; }

    /// <summary>Facts about the target.</summary>
    public required TargetFacts Target { get; init; }

    /// <summary>What could not be read or decided.</summary>
    public ImmutableArray<Problem> Problems { get; init; } = [];

    /// <summary>False if stacks are known to be missing (interrupted, damaged heap, no heap in the dump).</summary>
    public required bool Complete { get; init; }

    /// <summary>The same process some time before; null if it was read once. Findings use what has moved since.</summary>
    internal AsyncModel? Earlier { get; init; }

    /// <summary>What had not moved before this one was read, of an earlier one and of one from a file; null if it was the first.</summary>
    internal StandingFacts? Standing { get; init; }

    /// <summary>What somebody has noted about stacks, in a snapshot.</summary>
    public ImmutableArray<StackNote> Notes { get; init; } = [];

    /// <summary>The distinct frames, by the number of their place.</summary>
    public required ImmutableArray<FramePlace> Places { get; init; }

    /// <summary>The number of logical stacks; equal ones count individually.</summary>
    public int StackCount => Stacks.Rows.Count;

    /// <summary>All nodes and edges: what waits for what, who holds it, where it continues; and how each edge is known.</summary>
    public ModelGraph Graph => Columns.Graph;

    internal NodeTable Nodes => Columns.Nodes;

    internal AsyncGraph Awaits => Columns.Awaits;

    internal StackTable Stacks => Columns.Stacks;

    internal FrameLinks Links => Columns.Links;

    internal IReadOnlyDictionary<ulong, WaitReason> Reasons => Columns.Reasons;

    internal IReadOnlyDictionary<ulong, WaitResource> Resources => Columns.Resources;

    internal ObjectTypeTable Types => Columns.Types;

    internal GraphFacts Facts => Columns.Facts;

    /// <summary>The same with what is behind what stacks await.</summary>
    internal AsyncModel With(IReadOnlyDictionary<ulong, WaitResource> resources) => this with { Columns = Columns.With(resources) };

    /// <summary>The same with other reasons and facts.</summary>
    internal AsyncModel With(IReadOnlyDictionary<ulong, WaitReason> reasons, GraphFacts facts) => this with { Columns = Columns.With(reasons, facts) };

    /// <summary>The same with other stacks.</summary>
    internal AsyncModel With(StackTable stacks) => this with { Columns = Columns.With(stacks) };

    /// <summary>The same with labels of its stacks.</summary>
    internal AsyncModel With(LabelFacts labels) => With(Reasons, Facts with { Labels = labels });

    /// <summary>The same with what tells equal stacks apart.</summary>
    internal AsyncModel With(uint[] values) => With(Reasons, Facts with { Values = values });

    /// <summary>The same with what tells since when stacks wait.</summary>
    internal AsyncModel With(AgeFacts ages) => this with
    {
        Columns = Columns.With(Reasons, Facts with { Ages = ages }),
        Target = ages.LastTickFrom is { } source ? Target with { LastTick = ages.Now, LastTickFrom = source } : Target,
    };

    /// <summary>The semaphore, lock, channel or pool that a stack waits for; null if there is none, or if what it awaited has happened.</summary>
    internal WaitResource? ResourceOf(int stack)
    {
        StackRow row = Stacks.Rows[stack];
        if (row.WaitAddress == 0 || Resources.Count == 0 || row.State is StackState.Scheduled or StackState.Active)
            return null;
        return Resources.TryGetValue(row.WaitAddress, out WaitResource? own) ? own
            : Reasons.TryGetValue(row.WaitAddress, out WaitReason? reason) ? Resources.GetValueOrDefault(reason.Resource) : null;
    }

    /// <summary>
    /// Key of a stack: the same in every run of one build, independent of addresses, state and count. Stacks with the
    /// same frames that wait for the same kind of thing have the same key.
    /// </summary>
    /// <param name="stack">Number of the stack, below <see cref="StackCount"/>.</param>
    public string KeyOf(int stack) => (_keys ??= new StackKeys(Places, Stacks)).Of(stack);

    /// <summary>Address of the task that completes when the outermost frame of a stack returns; 0 if there is none.</summary>
    internal ulong TaskOf(int stack)
    {
        if ((Stacks.Rows[stack].Flags & StackFlags.IsTaskLast) == 0)
            return Stacks.Tasks.GetValueOrDefault(stack);
        return Nodes.Addresses[Stacks.NodeOf(stack, Stacks.NodeCount(stack) - 1)];
    }

    /// <summary>Some method in a stack is the user's, not a framework's or the runtime's.</summary>
    internal bool HasUserFrame(int stack) => Stacks.ShapeOf(stack).Places.Any(place => Places[place].Origin == FrameOrigin.User);

    /// <summary>Why a stack does not continue; null if that is not known. Of a thread that blocks the address is that of the thing itself, which says less.</summary>
    internal WaitReason? ReasonOf(int stack) => Facts.Blocked.GetValueOrDefault(Stacks.NodeOf(stack, 0)) ?? Reasons.GetValueOrDefault(Stacks.Rows[stack].WaitAddress);

    /// <summary>Managed id of the thread that runs or blocks in a stack; null if there is none.</summary>
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
        return node < Awaits.Count ? Awaits.Awaits(node) : -1;
    }

    /// <summary>The node that a stack waits for, unless it is a combinator; -1 for none.</summary>
    internal int WaitsForNode(int stack) => WaitsFor(stack) is var node && !Awaits.IsCombinator(node) ? node : -1;
}
