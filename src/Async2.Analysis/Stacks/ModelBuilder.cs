using System.Collections.Immutable;
using Async2.Analysis.Families;
using Async2.Analysis.Graph;
using Async2.Analysis.Identity;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Ages;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Model.Graph;
using Async2.Analysis.Nodes;
using Async2.Analysis.Stacks.Frames;
using Async2.Analysis.Targets.Contract;
using Async2.Analysis.Threads;
using Async2.Analysis.Waits.Resuming;

namespace Async2.Analysis.Stacks;

/// <summary>
/// Makes a model of the objects of a heap: joins nodes, builds stacks, and reads what they wait for. <see cref="Build"/> is the
/// list of these stages, the pure half of an analysis.
/// </summary>
/// <param name="Model">All that was found.</param>
/// <param name="Entries">Facts about the places that only the target has, by place number. Needed to read variables later.</param>
/// <param name="Starts">What began before stacks waited, for their ages.</param>
internal sealed record ModelBuilder(AsyncModel Model, IReadOnlyList<FrameEntry> Entries, IReadOnlyDictionary<int, StackStart> Starts)
{
    /// <param name="input">What was read of heap and threads.</param>
    /// <param name="source">Reads more from the target.</param>
    /// <param name="target">What the model says of the target.</param>
    /// <param name="problems">Receives problems: whatever no valid heap has.</param>
    /// <param name="phase">Receives the name of each phase.</param>
    /// <param name="cancellation">When set, the model has the stacks so far, and is not complete.</param>
    public static ModelBuilder Build(StackInput input, IStackSource source, TargetFacts target, ProblemLog problems, Action<string> phase, CancellationToken cancellation)
    {
        HeapIndex index = input.Index;
        var table = new FrameTable(source.Frames, index.Frames);
        var chains = new ChainReader(index, table, problems, input.Torn);
        var leaves = new LeafReader(input, table, chains, source);
        phase("joining stacks");
        // Who waits for whom; then what threads wait for, which closes cycles over what operations wait for.
        var joins = new GraphBuilder(index, input.Segments, source.ReadAwaiters, problems) { Announce = source.Announce };
        AsyncGraph graph = joins.Build(leaves.AwaitedAddress);
        var resumed = new List<(int Node, Resumption Place)>();
        bool knowsCycles = Said(ThreadWaits.Join(graph, input.Segments, leaves.ReasonOf, node => Noted(resumed, node, leaves.ResumptionOf(node)), source.IsLimited), problems);
        phase("building stacks");
        // Stacks follow the graph; tasks without a method come after them, as those that are in a stack already are left out.
        var frames = new FrameExpander(input, chains, table, source);
        var stacks = new StackTableBuilder(frames, new IdleStacks(index, table, chains, source), node => node < graph.Operations ? index.Nodes[node].Address : 0);
        bool finished = new StackBuilder(input, table, graph, chains, frames, leaves, source) { BehindPromises = joins.BehindPromises }.Build(stacks.Add, cancellation);
        input.Torn?.Report(problems);
        new PlainTaskStacks(index, source, table, graph.Size).AddTo(stacks);
        var suspended = new SuspendedFrames(input, graph, chains, table, frames);
        phase("reading what is waited for");
        // Reasons are read only for awaited objects of stacks, so after all stacks are known.
        ReasonColumn waits = new ReasonColumn(source, problems).Read(stacks.Rows, graph);
        GraphFacts ends = new OrphanColumn(index, graph, source, problems, phase).Read(new WaitGates(input, graph, chains, leaves, frames, waits, source), gates => source.Holders is { } code ? new MailboxColumn(input, graph, chains, suspended, table, code, gates) : null, cancellation);
        NodeTable nodes = NodesOf(index, input.Segments, graph, chains);
        var columns = new ModelColumns
        {
            Nodes = nodes,
            Awaits = graph,
            Stacks = stacks.Build(),
            Links = index.Frames.Links,
            Reasons = waits.Reasons,
            Facts = new GraphFactsReader(input, graph, chains, leaves, source, joins.BehindPromises).Read(resumed, waits.Reasons) with { Timers = waits.Timers, Ends = waits.Ends, Orphans = ends.Orphans, Nobodys = ends.Nobodys, Replies = [.. ends.Replies.Concat(new BlockRoom(input, graph, suspended, table, source).Read(waits.Reasons)).OrderBy(row => row.Promise)], Lost = ends.Lost, Faults = source.Faults is { } faults ? new FaultColumn(input, graph, chains, table, faults).Read() : [] },
            Types = ModelTypes.Read(source.Types, nodes, index, stacks.Rows),
        };
        (columns, Dictionary<int, StackStart> starts) = WithLabels(columns, source.Labels, target, table, problems, phase);
        columns = WithHolders(columns, source.Holders is { } reader ? new HolderColumn(input, graph, suspended, table, leaves, reader, waits.Reasons, problems) : null, table, phase);
        columns = source.Holders is not { } known ? columns : WithCompleters(columns, new OwnerColumn(input, graph, suspended, table, known), new CompleterColumn(input, graph, chains, suspended, table, leaves, known, source));
        return WithNames(new(columns) { Target = target, Complete = finished && knowsCycles && input.Torn is not { Count: > 0 }, Places = PlacesOf(table) }, table.Entries, source, starts, phase);
    }

    // Last: it goes through the objects of whole stacks.
    private static ModelBuilder WithNames(AsyncModel nameless, IReadOnlyList<FrameEntry> entries, IStackSource source, Dictionary<int, StackStart> starts, Action<string> phase)
    {
        phase("naming what is waited for");
        return new(nameless.With(new ResourceColumn(nameless, source).Read()), entries, starts);
    }

    // Who handles a request that the program has sent to itself is told by the labels of both.
    private static (ModelColumns Columns, Dictionary<int, StackStart> Starts) WithLabels(ModelColumns columns, LabelReader? reader, TargetFacts target, FrameTable table, ProblemLog problems, Action<string> phase)
    {
        if (reader is null)
            return (columns, []);
        phase("reading labels");
        AsyncModel unlabelled = new(columns) { Target = target, Complete = false, Places = PlacesOf(table) };
        var labels = new LabelColumn(unlabelled, reader, problems);
        AsyncModel model = unlabelled.With(labels.Read());
        return (columns.With(columns.Reasons, columns.Facts with { Labels = model.Facts.Labels, Replies = [.. columns.Facts.Replies.Concat(OwnRequests.In(model)).OrderBy(row => row.Promise)] }), labels.Starts);
    }

    // Only if somebody waits for a semaphore, or a lock of the program's own making: code is read for it.
    private static ModelColumns WithHolders(ModelColumns columns, HolderColumn? column, FrameTable table, Action<string> phase)
    {
        phase("finding who holds what is waited for");
        Dictionary<ulong, WaitReason> locks = HolderCounts.LocksIn(columns.Reasons.Values.Concat(columns.Facts.Blocked.Values));
        if (column is null || (locks.Count == 0 && !columns.Facts.Blocked.Values.Any(HolderColumn.Counts) && !column.MayHaveOwn(columns.Stacks)))
            return columns;
        HolderFacts holders = column.Read(locks, columns.Facts.Blocked, columns.Facts.AwaitedByOrphans());
        if (column.OwnReasons.Count > 0)
            columns = columns.With(columns.Reasons.ToDictionary(pair => pair.Key, pair => column.OwnReasons.GetValueOrDefault(pair.Key) ?? pair.Value), columns.Facts);
        if (column.Room.Count > 0)
            columns = columns.With(columns.Reasons, columns.Facts with { Replies = [.. columns.Facts.Replies.Concat(column.Room).OrderBy(row => row.Promise)] });
        return HolderCounts.AddTo(columns, holders, PlacesOf(table), column.Iterators);
    }

    // Only if somebody waits for a promise, or for something else that code completes, or blocks for a thread's lock.
    private static ModelColumns WithCompleters(ModelColumns columns, OwnerColumn owners, CompleterColumn column)
    {
        columns = columns.With(columns.Reasons, columns.Facts with { Blocked = owners.Read(columns.Facts.Blocked) });
        (IReadOnlyList<ReplyRow> by, IReadOnlyList<ulong> nobody) = column.Read(columns);
        return by.Count == 0 && nobody.Count == 0 ? columns
            : columns.With(columns.Reasons, columns.Facts with { Replies = [.. columns.Facts.Replies.Concat(by).OrderBy(row => row.Promise).ThenBy(row => row.Node)], Nobodys = [.. columns.Facts.Nobodys.Concat(nobody).Order()] });
    }

    private static bool Said(bool knowsCycles, ProblemLog problems)
    {
        if (!knowsCycles)
            problems.Add(ProblemCodes.CyclesUnknown, "too many threads wait for too many things: the search for cycles of threads and locks was stopped");
        return knowsCycles;
    }

    private static ImmutableArray<FramePlace> PlacesOf(FrameTable table)
        => [.. table.Entries.Select(entry => new FramePlace(entry.Frame, entry.Origin, entry.Canonical))];

    private static Resumption? Noted(List<(int Node, Resumption Place)> resumed, int node, Resumption? place)
    {
        if (place is not null)
            resumed.Add((node, place));
        return place;
    }

    private static NodeTable NodesOf(HeapIndex index, IReadOnlyList<ThreadSegment> segments, AsyncGraph graph, ChainReader chains)
    {
        int count = graph.Size + index.Tasks.Count;
        var addresses = new ulong[count];
        var kinds = new AsyncNodeKind[count];
        int[] heads = new int[index.Nodes.Length];
        for (int i = 0; i < heads.Length; i++)
        {
            addresses[i] = index.Nodes[i].Address;
            kinds[i] = AsyncFamilies.Of(index.Nodes[i]).ModelKind;
            heads[i] = index.Nodes[i].IsChain ? chains.KnownHeadOf(i) : -1;
        }
        for (int i = 0; i < segments.Count; i++)
            kinds[graph.SegmentNode(i)] = AsyncNodeKind.ThreadSegment;
        for (int i = 0; i < index.Combinators.Length; i++)
        {
            addresses[graph.CombinatorNode(i)] = index.Combinators[i].Address;
            kinds[graph.CombinatorNode(i)] = AsyncNodeKind.Combinator;
        }
        for (int i = 0; i < index.Tasks.Count; i++)
        {
            addresses[graph.Size + i] = index.Tasks[i].Address;
            kinds[graph.Size + i] = AsyncNodeKind.Task;
        }
        return new NodeTable { Addresses = addresses, Kinds = kinds, Heads = heads, Threads = [.. segments.Select(segment => segment.ThreadId)] };
    }
}
