using System.Collections.Immutable;
using Async2.Analysis.Graph;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Model.Graph;
using Async2.Analysis.Nodes;
using Async2.Analysis.Stacks.Frames;
using Async2.Analysis.Targets.Contract;
using Async2.Analysis.Threads;

namespace Async2.Analysis.Stacks;

/// <summary>From the objects of a heap to a model: nodes are joined, stacks put together, what they wait for is asked.</summary>
/// <param name="Model">All that was found.</param>
/// <param name="Entries">What only the target knows of the places, by their number: for those who ask for variables later.</param>
internal sealed record ModelBuilder(AsyncModel Model, IReadOnlyList<FrameEntry> Entries)
{
    /// <param name="index">The async objects.</param>
    /// <param name="readers">What has to be asked of the target.</param>
    /// <param name="target">What the model says of the target.</param>
    /// <param name="problems">Told about whatever no honest heap has.</param>
    /// <param name="phase">Told what is being done.</param>
    /// <param name="cancellation">When set, the model has the stacks so far, and is not complete.</param>
    public static ModelBuilder Build(
        HeapIndex index, StackReaders readers, TargetFacts target, ProblemLog problems, Action<string> phase, CancellationToken cancellation)
    {
        var table = new FrameTable(readers.Frames, index.Frames);
        var chains = new ChainReader(index, table, problems, readers.Torn);
        var leaves = new LeafReader(index, table, chains, readers);
        phase("joining stacks");
        var joins = new GraphBuilder(index, readers.Segments, readers.ReadAwaiters, problems);
        AsyncGraph graph = joins.Build(leaves.AwaitedAddress);
        bool knowsCycles = ThreadWaits.Join(graph, index, readers.Segments, leaves.ReasonOf, leaves.ResumptionOf);
        if (!knowsCycles)
            problems.Add(ProblemCodes.CirclesUnknown, "too many threads wait for too much: not all circles of threads and locks were looked for");
        var frames = new FrameExpander(index, readers.Segments, chains, table, readers);
        ulong TaskOf(int node) => node < graph.Operations ? index.Nodes[node].Address : 0;
        var stacks = new StackTableBuilder(frames, new IdleStacks(index, table, chains, readers.IsZeroInOwner), TaskOf);
        phase("building stacks");
        bool finished = new StackBuilder(index, readers.Segments, table, graph, chains, frames, leaves, readers) { AllThreads = readers.AllThreads, BehindPromises = joins.BehindPromises }.Build(stacks.Add, cancellation);
        readers.Torn?.Report(problems);
        new PlainTaskStacks(index, readers, table, graph.Size).AddTo(stacks);
        phase("asking what is waited for");
        (IReadOnlyDictionary<ulong, WaitReason> reasons, long left) = new ReasonColumn(readers.DescribeWait).Read(stacks.Rows, graph);
        if (left > 0)
            problems.Add(ProblemCodes.WaitsNotAsked, FormattableString.Invariant($"{ReasonColumn.Limit:N0} different objects are waited for, and {left:N0} more were not asked why: of these only the called method is known"));
        NodeTable nodes = NodesOf(index, readers.Segments, graph, chains);
        var columns = new ModelColumns
        {
            Nodes = nodes,
            Graph = graph,
            Stacks = stacks.Build(),
            Links = index.Frames.Links,
            Reasons = reasons,
            Types = ModelTypes.Read(readers.Types, nodes, index, stacks.Rows),
        };
        ImmutableArray<FramePlace> places = [.. table.Entries.Select(entry => new FramePlace(entry.Frame, entry.Origin, entry.Canonical))];
        var model = new AsyncModel(columns) { Target = target, Complete = finished && knowsCycles && readers.Torn is not { Count: > 0 }, Places = places };
        columns.Resources = new ResourceColumn(model, readers).Read();
        return new(model, table.Entries);
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
            kinds[i] = KindOf(index.Nodes[i].Kind);
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

    private static AsyncNodeKind KindOf(NodeKind kind) => kind switch
    {
        NodeKind.Chain => AsyncNodeKind.RuntimeAsync,
        NodeKind.Tasklets => AsyncNodeKind.Tasklet,
        NodeKind.Machine => AsyncNodeKind.StateMachine,
        NodeKind.Pooled => AsyncNodeKind.Pooled,
        _ => AsyncNodeKind.FSharpAsync,
    };
}
