using Async2.Analysis.Model.Graph;

namespace Async2.Analysis.Graph;

/// <summary>Nodes that wait for themselves, as far as they are waited for by combinators: cycles may be woven of several there.</summary>
internal sealed class CombinatorCycles
{
    private readonly StronglyConnected? _parts;

    /// <param name="graph">The graph.</param>
    public CombinatorCycles(AsyncGraph graph)
    {
        // Without combinators there are none, and a million nodes need no marks.
        if (graph.Size == graph.Count)
            return;
        _parts = new StronglyConnected(graph.Size, (node, position) => AwaitedOf(graph, node, position));
        for (int combinator = graph.Count; combinator < graph.Size; combinator++)
        {
            // One that needs any of its parts has a way out.
            if (!graph.NeedsAny(combinator))
                _parts.Visit(combinator);
        }
    }

    /// <summary>The node is part of a cycle of waits that a combinator leads to or is part of.</summary>
    public bool Has(int node) => _parts?.PartOf(node) > 0;

    private static int AwaitedOf(AsyncGraph graph, int node, int position)
    {
        if (!graph.IsCombinator(node))
            return position == 0 ? graph.Awaits(node) : -1;
        IReadOnlyList<int> parts = graph.PartsOf(node);
        return position < parts.Count && !graph.NeedsAny(node) ? parts[position] : -1;
    }
}
