using Async2.Analysis.Model;
using Async2.Analysis.Model.Graph;

namespace Async2.Analysis.Snapshots;

/// <summary>
/// Writes and reads what edges rest on besides awaits: how awaits are known, why threads block, timers, contexts, generations. A file of
/// before there were such edges has no such part, and is read without.
/// </summary>
internal static class LinkColumns
{
    /// <param name="model">The model.</param>
    /// <param name="reasons">Number of each reason why a thread blocks.</param>
    /// <param name="columns">Where it goes.</param>
    public static void Write(AsyncModel model, IReadOnlyDictionary<WaitReason, int> reasons, ColumnWriter columns)
    {
        WriteSources(model.Awaits, columns);
        GraphFacts facts = model.Facts;
        columns.Count(facts.Blocked.Count);
        foreach ((int node, WaitReason reason) in facts.Blocked.OrderBy(pair => pair.Key))
        {
            columns.Count(node);
            columns.Count(reasons[reason]);
        }
        columns.Count(facts.Timers.Count);
        columns.Near([.. facts.Timers.Select(row => row.Awaited)]);
        columns.Near([.. facts.Timers.Select(row => row.Timer)]);
        columns.Count(facts.Ends.Count);
        columns.Near([.. facts.Ends.Select(row => row.Awaited)]);
        columns.Near([.. facts.Ends.Select(row => row.End)]);
        columns.Count(facts.Limits.Count);
        columns.Near([.. facts.Limits.Select(row => row.Node)]);
        columns.Near([.. facts.Limits.Select(row => row.Timer)]);
        columns.Count(facts.Resumptions.Count);
        columns.Near([.. facts.Resumptions.Select(row => row.Node)]);
        columns.Near([.. facts.Resumptions.Select(row => row.Context)]);
        columns.Near([.. facts.Resumptions.Select(row => row.Thread)]);
        foreach (ResumptionRow row in facts.Resumptions)
            columns.Byte((byte)row.Source);
        columns.Count(facts.Generations.Count);
        columns.Near([.. facts.Generations.Select(range => range.Start)]);
        columns.Near([.. facts.Generations.Select(range => range.End - range.Start)]);
        foreach (GenerationRange range in facts.Generations)
            columns.Byte(range.Generation);
    }

    /// <summary>The facts; how awaits are known is told to the graph.</summary>
    /// <param name="part">The part.</param>
    /// <param name="graph">Of the same file.</param>
    /// <param name="tables">Have contexts.</param>
    /// <param name="reasons">Of the same file.</param>
    public static GraphFacts Read(ColumnReader part, AsyncGraph graph, SnapshotTables tables, WaitReason[] reasons)
    {
        ReadSources(part, graph);
        var blocked = new Dictionary<int, WaitReason>();
        for (int count = part.Count(); count > 0; count--)
            blocked[part.Below(graph.Count)] = reasons[part.Below(reasons.Length)];
        TimerRow[] timers = [.. Pairs(part.NearAddresses(part.Count()), part.NearAddresses).Select(pair => new TimerRow(pair.First, pair.Second)).OrderBy(row => row.Awaited)];
        EndRow[] ends = [.. Pairs(part.NearAddresses(part.Count()), part.NearAddresses).Select(pair => new EndRow(pair.First, pair.Second))];
        LimitRow[] limits = [.. Pairs(part.Near(part.Count(), 0, graph.Count), part.NearAddresses).Select(pair => new LimitRow(pair.First, pair.Second))];
        int resumptions = part.Count();
        int[] nodes = part.Near(resumptions, 0, graph.Count), contexts = part.Near(resumptions, -1, tables.Contexts.Count), threads = part.Near(resumptions, int.MinValue, int.MaxValue);
        ResumptionRow[] resumed = [.. nodes.Select((node, i) => new ResumptionRow(node, contexts[i], threads[i], Source(part)))];
        (ulong Start, ulong Length)[] ranges = [.. Pairs(part.NearAddresses(part.Count()), part.NearAddresses)];
        GenerationRange[] generations = [.. ranges.Select(range => new GenerationRange(range.Start, unchecked(range.Start + range.Length), Generation(part)))];
        part.End();
        return new GraphFacts
        {
            Blocked = blocked,
            TimeLimited = tables.TimeLimited,
            Timers = timers,
            Ends = ends,
            Limits = limits,
            Contexts = [.. tables.Contexts.Select(context => context.Row)],
            Queued = tables.Queued,
            Faults = tables.Faults,
            ContextThreads = tables.ContextThreads,
            Resumptions = resumed,
            Generations = generations,
        };
    }

    private static void WriteSources(AsyncGraph graph, ColumnWriter columns)
    {
        int[] nodes = [.. Enumerable.Range(0, graph.Count).Where(node => graph.SourceOf(node) != EdgeSource.ContinuationObject)];
        columns.Count(nodes.Length);
        columns.Near(nodes);
        foreach (int node in nodes)
            columns.Byte((byte)graph.SourceOf(node));
        ((int Combinator, int Part) Pair, EdgeSource Source)[] parts = [.. graph.PartSources.OrderBy(part => part.Key).Select(part => (part.Key, part.Value))];
        columns.Count(parts.Length);
        columns.Near([.. parts.Select(part => part.Pair.Combinator)]);
        columns.Near([.. parts.Select(part => part.Pair.Part)]);
        foreach ((_, EdgeSource source) in parts)
            columns.Byte((byte)source);
    }

    private static void ReadSources(ColumnReader part, AsyncGraph graph)
    {
        foreach (int node in part.Near(part.Count(), 0, graph.Count))
            graph.Note(node, Source(part));
        int parts = part.Count();
        int[] combinators = part.Near(parts, graph.Count, graph.Size), nodes = part.Near(parts, 0, graph.Size);
        for (int i = 0; i < parts; i++)
            graph.Note(combinators[i], nodes[i], Source(part));
    }

    private static IEnumerable<(T First, ulong Second)> Pairs<T>(T[] first, Func<int, ulong[]> second) => first.Zip(second(first.Length));

    private static EdgeSource Source(ColumnReader part) => part.Enum<EdgeSource>((int)EdgeSource.ReleasedByCode + 1);

    private static byte Generation(ColumnReader part) => part.Byte() is <= 2 and var generation ? generation : throw part.Damaged("a generation is not known");
}
