using Async2.Analysis.Model;
using Async2.Analysis.Model.Graph;

namespace Async2.Analysis.Analyses.Cycles;

/// <summary>What a node needs before it can go on.</summary>
/// <param name="Edges">From the node to what it needs.</param>
/// <param name="All">It needs all of them; otherwise one is enough.</param>
internal sealed record Needs(IReadOnlyList<Edge> Edges, bool All);

/// <summary>Reads the edges of a model as needs: a lock needs its owner, a context one of its threads, a thread what its innermost frames wait for.</summary>
internal sealed class WaitNeeds(AsyncModel model)
{
    private readonly HashSet<int> _limited = [.. model.Facts.TimeLimited];
    private readonly HashSet<ulong> _answeredHere = model.Facts.AnsweredHere();

    /// <summary>What a node needs; null if it needs nothing, may go on by itself, or that is not known.</summary>
    public Needs? Of(int node)
    {
        Needs needs = model.Graph.KindOf(node) switch
        {
            AsyncNodeKind.Thread => new(model.Graph.ActingFor(node) is var segment && segment != node ? [new(node, segment, EdgeKind.RunsOn, EdgeSource.ThreadStack)] : [], All: true),
            AsyncNodeKind.Context => new(Edges(node, EdgeKind.RunsOn), model.Graph.NeedsAllThreads(node)),
            AsyncNodeKind.Resource => OfResource(node),
            AsyncNodeKind.Combinator => model.Awaits.NeedsAny(node) ? OfAny(node) : new(Parts(node), All: true),
            AsyncNodeKind.Task => new([], All: true),
            _ => new(OfOperation(node), All: true),
        };
        return needs.Edges.Count == 0 ? null : needs;
    }

    /// <summary>Combinators that need any of their parts, all of which are operations.</summary>
    public IEnumerable<int> Choices() => model.Awaits.AnyOf.Where(node => Of(node) is not null);

    /// <summary>Nodes that may need this one; with repetition.</summary>
    public IEnumerable<int> WaitersOf(int node)
    {
        foreach (Edge edge in model.Graph.EdgesTo(node))
        {
            if (edge.Kind != EdgeKind.PartOf)
                yield return edge.From;
        }
        foreach (Edge edge in model.Graph.EdgesFrom(node))
        {
            // A part is needed by its combinator, a stretch of a stack by its thread.
            if (edge.Kind is EdgeKind.PartOf || (edge.Kind == EdgeKind.RunsOn && model.Graph.ActingFor(edge.To) == node))
                yield return edge.To;
        }
    }

    // Threads have to give back all that they hold; of permits that stacks hold, one is enough.
    private Needs OfResource(int node)
    {
        // A task in the queue of a scheduler.
        if (Edges(node, EdgeKind.ResumesOn) is { Count: > 0 } queued)
            return new(queued, All: true);
        // Every missing signal is needed.
        if (model.Graph[node].ResourceKind == WaitKind.Event)
            return new(Edges(node, EdgeKind.HeldBy), All: true);
        // A permit that an unknown holder has may be given back; who completes something by code are all who do.
        List<Edge> held = Edges(node, EdgeKind.HeldBy);
        if (held.Count > 0 && model.Facts.Holders.HasOthers(model.Graph[node].Address))
            held.RemoveAll(edge => edge.Source != EdgeSource.Inferred);
        return new(held, held.Any(edge => edge.Source == EdgeSource.OwnerRecord));
    }

    private List<Edge> OfOperation(int node)
    {
        IReadOnlyList<Edge> edges = model.Graph.EdgesFrom(node);
        bool endsByItself = _limited.Contains(node) || (model.Awaits.Holds.TryGetValue(node, out Hold? hold) && hold.IsLimited)
            || edges.Any(edge => edge.Kind == EdgeKind.CompletedBy && model.Graph.KindOf(edge.To) != AsyncNodeKind.Thread && !_answeredHere.Contains(model.Graph[edge.To].Address));
        return [.. edges.Where(edge => edge.Kind == EdgeKind.ResumesOn
            ? model.Graph[edge.To] is not { Kind: AsyncNodeKind.Context, Address: 0 }
            : !endsByItself && (edge.Kind is EdgeKind.Awaits or EdgeKind.BlockedOn or EdgeKind.CompletedBy || (edge.Kind == EdgeKind.RunsOn && model.Graph.KindOf(edge.To) == AsyncNodeKind.ThreadSegment)))];
    }

    // Of those that WhenAny waits for only operations are nodes: what else there is may be done at any time.
    private Needs OfAny(int combinator)
    {
        if (model.Awaits.PartsOf(combinator).Count == 0 || model.Reasons.GetValueOrDefault(model.Graph[combinator].Address) is not { } reason)
            return new([], All: false);
        List<Edge> parts = PartsOf(combinator);
        return new(reason.Shared.Any(fact => fact.Key is WaitFactKey.FirstOf or WaitFactKey.Pending && fact.Number == parts.Count) ? parts : [], All: false);
    }

    private List<Edge> PartsOf(int combinator)
        => [.. model.Graph.EdgesTo(combinator).Where(edge => edge.Kind == EdgeKind.PartOf).Select(edge => edge with { From = combinator, To = edge.From })];

    // Operations name the combinator; what else it waits for, it names itself. A timer may end one of those.
    private List<Edge> Parts(int combinator)
    {
        List<Edge> parts = PartsOf(combinator);
        if (Edges(combinator, EdgeKind.CompletedBy).Count == 0)
            parts.AddRange(Edges(combinator, EdgeKind.BlockedOn));
        return parts;
    }

    private List<Edge> Edges(int node, EdgeKind kind) => [.. model.Graph.EdgesFrom(node).Where(edge => edge.Kind == kind)];
}
