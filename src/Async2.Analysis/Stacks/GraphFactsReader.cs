using System.Collections;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Graph;
using Async2.Analysis.Nodes;
using Async2.Analysis.Threads;
using Async2.Analysis.Waits.Resuming;

namespace Async2.Analysis.Stacks;

/// <summary>Collects what edges rest on besides awaits: why threads block, where operations go on, which timer ends a wait.</summary>
/// <param name="input">The operations, and what threads execute.</param>
/// <param name="graph">Who waits for whom.</param>
/// <param name="chains">Frames of the operations.</param>
/// <param name="leaves">What was read of them and of threads.</param>
/// <param name="source">Answers for the target.</param>
internal sealed class GraphFactsReader(StackInput input, AsyncGraph graph, ChainReader chains, LeafReader leaves, IStackSource source)
{
    private readonly HeapIndex _index = input.Index;
    private readonly List<ContextRow> _contexts = [];
    private readonly Dictionary<ulong, int> _numbers = [];
    private readonly List<ResumptionRow> _resumptions = [];

    /// <param name="resumed">Operations that can go on, with the place where.</param>
    public GraphFacts Read(IEnumerable<(int Node, Resumption Place)> resumed)
    {
        foreach ((int node, Resumption place) in resumed)
            Add(node, place);
        foreach ((ulong operation, Resumption place) in source.PlacesCaptured(address => _index.FindNode(address) is >= 0 and var node ? leaves.AwaitedAddress(node) : 0))
            Add(_index.FindNode(operation), place);
        if (_index.Capturing.Count > 0)
            AddSaved();
        return new GraphFacts
        {
            Blocked = Blocked(),
            Limits = [.. Limits()],
            Contexts = _contexts,
            Resumptions = _resumptions,
            Generations = source.Generations,
        };
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

    // A promise with a timeout stands between the two.
    private IEnumerable<LimitRow> Limits()
    {
        for (int node = 0; node < graph.Count; node++)
        {
            if (graph.Awaits(node) is not (>= 0 and var awaited) || graph.RunsOn(node) || graph.SourceOf(node) == EdgeSource.Inferred)
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
            for (int frame = FirstOf(node); frame >= 0 && !seen[frame]; frame = _index.Frames.Next(frame))
            {
                seen[frame] = true;
                if (capturing[frame] && source.PlaceSavedBy(_index.Frames.AddressOf(frame)) is { } place)
                    Add(node, place);
            }
        }
    }

    // In a chain that a thread executes, methods that run or have returned do not resume anywhere.
    private int FirstOf(int node)
    {
        if (!_index.Nodes[node].IsChain)
            return -1;
        if (!graph.RunsOn(node))
            return chains.KnownHeadOf(node);
        ThreadSegment segment = input.Segments[graph.Awaits(node) - graph.Operations];
        int running = _index.Frames.Find(segment.Continuation);
        return running < 0 || segment.HasLeftChain ? running : _index.Frames.Next(running);
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
            _contexts.Add(new(place.Place, place.Name, place.Threads, place.IsInferred));
        }
        return number;
    }
}
