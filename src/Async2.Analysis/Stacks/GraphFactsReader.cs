using System.Collections;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Graph;
using Async2.Analysis.Nodes;
using Async2.Analysis.Waits.Resuming;

namespace Async2.Analysis.Stacks;

/// <summary>Collects what edges rest on besides awaits: why threads block, where operations go on, which timer ends a wait.</summary>
/// <param name="input">The operations, and what threads execute.</param>
/// <param name="graph">Who waits for whom.</param>
/// <param name="chains">Frames of the operations.</param>
/// <param name="leaves">What was read of them and of threads.</param>
/// <param name="source">Answers for the target.</param>
/// <param name="behindPromises">Operations that await a promise in front of what they wait for.</param>
internal sealed class GraphFactsReader(StackInput input, AsyncGraph graph, ChainReader chains, LeafReader leaves, IStackSource source, IReadOnlySet<int> behindPromises)
{
    private readonly HeapIndex _index = input.Index;
    private readonly List<ContextRow> _contexts = [];
    private readonly Dictionary<ulong, int> _numbers = [];
    private readonly List<ResumptionRow> _resumptions = [];

    /// <param name="resumed">Operations that can go on, with the place where.</param>
    /// <param name="reasons">Why awaited objects have not happened.</param>
    public GraphFacts Read(IEnumerable<(int Node, Resumption Place)> resumed, IReadOnlyDictionary<ulong, WaitReason> reasons)
    {
        foreach ((int node, Resumption place) in resumed)
            Add(node, place);
        foreach ((ulong operation, Resumption place) in source.PlacesCaptured(address => _index.FindNode(address) is >= 0 and var node ? leaves.AwaitedAddress(node) : 0))
            Add(_index.FindNode(operation), place);
        if (_index.Capturing.Count > 0)
            AddSaved();
        for (int i = 0; i < input.Segments.Count; i++)
        {
            // It needs the context's thread, however it waits for it.
            if (input.Segments[i] is { IsBlocked: true } thread && !source.IsLimited(thread) && source.SentTo(thread) is { } place)
                Add(graph.SegmentNode(i), place);
        }
        QueuedRow[] queued = [.. Queued(reasons)];
        return new GraphFacts
        {
            Blocked = Blocked(),
            TimeLimited = [.. Enumerable.Range(0, input.Segments.Count).Where(i => input.Segments[i].IsBlocked && source.IsLimited(input.Segments[i])).Select(graph.SegmentNode)],
            Limits = [.. Limits()],
            Queued = queued,
            Contexts = _contexts,
            ContextThreads = source.ContextThreads,
            Resumptions = _resumptions,
            Generations = source.Generations,
        };
    }

    // A delegate that has not begun: few are waited for.
    private IEnumerable<QueuedRow> Queued(IReadOnlyDictionary<ulong, WaitReason> reasons)
    {
        foreach ((ulong task, _) in reasons.Where(pair => pair.Value.Shared.Any(fact => fact.Key == WaitFactKey.TaskQueued)).OrderBy(pair => pair.Key))
        {
            if (source.QueueOf(task) is { } place)
                yield return new(task, NumberOf(place), place.Source);
        }
    }

    private Dictionary<int, WaitReason> Blocked()
    {
        var blocked = new Dictionary<int, WaitReason>();
        for (int i = 0; i < input.Segments.Count; i++)
        {
            if (input.Segments[i] is { IsBlocked: true, BlockedOn: 0 } segment && leaves.ReasonOf(segment) is { } reason)
                blocked[graph.SegmentNode(i)] = reason;
        }
        return blocked;
    }

    // A promise with a timeout stands between the two. Of a million operations few have one, and only those are asked what they await.
    private IEnumerable<LimitRow> Limits()
    {
        for (int node = 0; node < graph.Count; node++)
        {
            if ((node < graph.Operations && !behindPromises.Contains(node)) || graph.Awaits(node) is not (>= 0 and var awaited) || graph.RunsOn(node) || graph.SourceOf(node) == EdgeSource.Inferred)
                continue;
            ulong promise = graph.IsSegment(node) ? input.Segments[node - graph.Operations].BlockedOn : leaves.AwaitedAddress(node);
            if (promise != 0 && promise != AddressOf(awaited) && source.TimerOf(promise) is not 0 and var timer)
                yield return new(node, timer);
        }
    }

    private ulong AddressOf(int node) => graph.IsCombinator(node) ? _index.Combinators[node - graph.Count].Address
        : graph.IsSegment(node) ? input.Segments[node - graph.Operations].Task : _index.Nodes[node].Address;

    // Frames have saved it, and edges begin at the operations of these frames: each chain is walked once, and only if some frame has saved a context.
    private void AddSaved()
    {
        var capturing = new BitArray(_index.Frames.Count);
        foreach (ulong frame in _index.Capturing)
        {
            if (_index.Frames.Find(frame) is >= 0 and var position)
                capturing[position] = true;
        }
        var seen = new BitArray(_index.Frames.Count);
        for (int node = 0; node < graph.Operations; node++)
        {
            for (int frame = chains.FirstSuspendedOf(node, graph, input.Segments); frame >= 0 && !seen[frame]; frame = _index.Frames.Next(frame))
            {
                seen[frame] = true;
                if (capturing[frame] && source.PlaceSavedBy(_index.Frames.AddressOf(frame)) is { } place)
                    Add(node, place);
            }
        }
    }

    private void Add(int node, Resumption place)
    {
        if (node < 0)
            return;
        if (place.IsThread)
            _resumptions.AddRange(place.Threads.Select(thread => new ResumptionRow(node, -1, thread, place.Source)));
        else
            _resumptions.Add(new(node, NumberOf(place), 0, place.Source));
    }

    private int NumberOf(Resumption place)
    {
        if (!_numbers.TryGetValue(place.Place, out int number))
        {
            _numbers[place.Place] = number = _contexts.Count;
            _contexts.Add(RowOf(place));
        }
        // That nobody comes for what is queued shows who serves a scheduler; of what is not queued yet it does not show.
        else if (_contexts[number].Threads.Count == 0 && place.Threads.Count > 0)
        {
            _contexts[number] = RowOf(place);
        }
        return number;
    }

    private static ContextRow RowOf(Resumption place) => new(place.Place, place.Name, place.Threads, place.IsInferred) { NeedsAll = place.NeedsAll, HasNobody = place.HasNobody };
}
