using System.Collections.Immutable;
using Async2.Analysis.Graph;
using Async2.Analysis.Model.Graph;
using Async2.Analysis.Model;
using Async2.Analysis.Nodes;
using Async2.Analysis.Stacks.Frames;
using Async2.Analysis.Stacks;
using Async2.Analysis.Targets.Contract;

namespace Async2.Analysis.Snapshots;

/// <summary>The stacks of a heap: joined, put together, counted and ordered.</summary>
/// <param name="Stacks">In output order.</param>
/// <param name="Totals">Over all stacks, coalesced or not, wanted or not.</param>
/// <param name="Matching">What the filters let through; null without filters.</param>
/// <param name="Complete">False when it was cancelled: there are more.</param>
internal sealed record LogicalStacks(ImmutableArray<LogicalStack> Stacks, SnapshotTotals Totals, MatchingTotals? Matching, bool Complete)
{
    /// <summary>The distinct frames by number, for those who ask for variables later.</summary>
    public IReadOnlyList<FrameEntry> Entries { get; init; } = [];

    /// <param name="index">The async objects.</param>
    /// <param name="readers">What has to be asked of the target.</param>
    /// <param name="options">What to keep.</param>
    /// <param name="problems">Told about whatever no honest heap has.</param>
    /// <param name="phase">Told what is being done.</param>
    /// <param name="cancellation">When set, the stacks so far are returned.</param>
    public static LogicalStacks Build(
        HeapIndex index, StackReaders readers, AnalysisOptions options, ProblemLog problems, Action<string> phase, CancellationToken cancellation)
    {
        var table = new FrameTable(readers.Frames, index.Frames);
        var chains = new ChainReader(index, table, problems, readers.Torn);
        var leaves = new LeafReader(index, table, chains, readers);
        phase("joining stacks");
        AsyncGraph graph = new GraphBuilder(index, readers.Segments, readers.ReadAwaiters, problems).Build(leaves.AwaitedAddress);
        bool knowsCircles = ThreadWaits.Join(graph, index, readers.Segments, leaves.FactsOf, leaves.ResumptionOf);
        if (!knowsCircles)
            problems.Add(ProblemCodes.CirclesUnknown, "too many threads wait for too much: not all circles of threads and locks were looked for");
        var frames = new FrameExpander(index, readers.Segments, chains, table, readers, options.IncludeFramework);
        ulong TaskOf(int node) => node < graph.Operations ? index.Nodes[node].Address : 0;
        Predicate<StackDraft>? isWanted = options.Query.IsFilter ? new DraftFilter(options.Query, table, TaskOf, readers.DescribeWait, readers.Types).Matches : null;
        var idle = new IdleStacks(table, readers.IsZeroInOwner);
        var coalescer = new Coalescer(table, options.Coalesce, graph.Count, isWanted, idle.NameOf) { KeepsFolded = options.Searchable };
        phase("building stacks");
        bool finished = new StackBuilder(index, readers.Segments, table, graph, chains, frames, leaves, readers, keepsFolded: isWanted is not null || options.Searchable) { PlainThread = options.Query.Thread }.Build(coalescer.Add, cancellation);
        readers.Torn?.Report(problems);
        IReadOnlyList<StackGroup> shown = coalescer.Finish();
        var found = new LogicalStacks(
            StackAssembler.Assemble(shown, coalescer, table, graph, readers, TaskOf),
            TotalsOf(coalescer.Total),
            isWanted is null ? null : new MatchingTotals(options.Query.FilterText, TotalsOf(coalescer.Wanted)),
            finished && knowsCircles && readers.Torn is not { Count: > 0 })
        {
            Entries = table.Entries,
        };
        return index.Tasks.Count == 0 ? found : new TaskStacks(index, readers, table, options).AddTo(found);
    }

    private static SnapshotTotals TotalsOf(StackCount count) => new(count.Stacks, count.Frames, count.Groups) { Idle = count.Idle };
}
