using System.Globalization;
using Async2.Analysis.Formatting;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Graph;

namespace Async2.Analysis.Query.Answers;

/// <summary>The graph of a model as the groups of an answer show it.</summary>
/// <param name="model">The model.</param>
/// <param name="shown">The groups in the order of their ids.</param>
/// <param name="stacks">Knows which of them shows a node.</param>
internal sealed class AnswerGraph(AsyncModel model, StackGroup[] shown, StackGrouper stacks) : ViewGraph
{
    /// <summary>So many ends are listed of edges that are alike but for the end.</summary>
    public const int EndLimit = 16;

    private const string Pool = "pool";

    private readonly List<Edge> _edges = [];

    /// <inheritdoc/>
    public override IEnumerable<ViewEdge> EdgesFrom(string stack)
    {
        var ends = new Dictionary<(EdgeKind Kind, EdgeSource Source, int To), long>();
        if (GroupOf(stack) is { } group)
        {
            foreach (int member in group.Members)
                AddMember(member, ends);
        }
        else if (NodeOf(stack) is >= 0 and var node && model.Graph[node].Kind != AsyncNodeKind.Thread)
        {
            Add(node, -1, ends);
        }
        // What several nodes of a stack are shown as is one end.
        var byId = new Dictionary<(EdgeKind Kind, EdgeSource Source, string To), long>();
        foreach (((EdgeKind kind, EdgeSource source, int to), long count) in ends)
        {
            (EdgeKind, EdgeSource, string) key = (kind, source, IdOf(to));
            byId[key] = byId.GetValueOrDefault(key) + count;
        }
        return byId.GroupBy(end => (end.Key.Kind, end.Key.Source)).OrderBy(alike => alike.Key).SelectMany(alike => Listed(stack, alike.Key.Kind, alike.Key.Source, [.. alike.Select(end => (end.Key.To, end.Value))]));
    }

    /// <inheritdoc/>
    public override ViewNode? Find(string id)
    {
        if (GroupOf(id) is not null || NodeOf(id) is not (>= 0 and var number))
            return null;
        GraphNode node = model.Graph[number];
        if (node.Kind is not (AsyncNodeKind.Resource or AsyncNodeKind.Context or AsyncNodeKind.Combinator or AsyncNodeKind.Thread))
            return null;
        WaitResource? known = model.Resources.GetValueOrDefault(node.Address);
        return new ViewNode(id, node.Kind)
        {
            Address = node.Address == 0 ? null : node.Address,
            ResourceKind = node.ResourceKind,
            Type = node.Type,
            Name = node.Name,
            Text = model.Graph.ReasonOf(number) is { } reason ? WaitFormatter.State(reason with { Behind = null }) : null,
            Waiting = node.Kind == AsyncNodeKind.Thread ? 0 : model.Graph.WaitersOf(number),
            HeldBy = [.. model.Graph.EdgesFrom(number).Where(edge => edge.Kind == EdgeKind.HeldBy).Select(edge => model.Graph[edge.To].Thread).OfType<int>()],
            Thread = node.Thread,
            State = node.Kind == AsyncNodeKind.Thread ? node.State : null,
            Generation = node.Generation,
            IsShared = known?.IsShared == true,
        };
    }

    // Many first, then in the order of ids; the rest is counted.
    private static IEnumerable<ViewEdge> Listed(string from, EdgeKind kind, EdgeSource source, (string To, long Count)[] ends)
    {
        (string To, long Count)[] ordered = [.. ends.OrderByDescending(end => end.Count).ThenBy(end => end.To.Length).ThenBy(end => end.To, StringComparer.Ordinal)];
        foreach ((string to, long count) in ordered.Take(EndLimit))
            yield return new(from, kind, to, source, count);
        if (ordered.Length > EndLimit)
            yield return new(from, kind, null, source, ordered.Skip(EndLimit).Sum(end => end.Count)) { Targets = ordered.Length - EndLimit };
    }

    private void AddMember(int stack, Dictionary<(EdgeKind Kind, EdgeSource Source, int To), long> ends)
    {
        int inner = -1;
        for (int i = 0; i < model.Stacks.NodeCount(stack); i++)
        {
            int node = model.Stacks.NodeOf(stack, i);
            Add(node, inner, ends);
            inner = node;
        }
    }

    // That a node of a stack waits for the next inner one, the stack says itself.
    private void Add(int node, int inner, Dictionary<(EdgeKind Kind, EdgeSource Source, int To), long> ends)
    {
        _edges.Clear();
        model.Graph.AddFrom(node, _edges);
        foreach (Edge edge in _edges)
        {
            if (edge.To == inner)
                continue;
            (EdgeKind, EdgeSource, int) key = (edge.Kind, edge.Source, edge.To);
            ends[key] = ends.GetValueOrDefault(key) + 1;
        }
    }

    private StackGroup? GroupOf(string id)
        => id.StartsWith('s') && int.TryParse(id.AsSpan(1), CultureInfo.InvariantCulture, out int number) && number > 0 && number <= shown.Length ? shown[number - 1] : null;

    private string IdOf(int number)
    {
        if (number < model.Nodes.Count && stacks.GroupOf(number) is { } group)
            return group.Id;
        GraphNode node = model.Graph[number];
        return node.Thread is { } thread ? string.Create(CultureInfo.InvariantCulture, $"t{thread}")
            : node is { Kind: AsyncNodeKind.Context, Address: 0 } ? Pool
            : string.Create(CultureInfo.InvariantCulture, $"0x{node.Address:x}");
    }

    private int NodeOf(string id)
    {
        if (id == Pool)
            return model.Graph.FindPool();
        if (id.StartsWith('t') && int.TryParse(id.AsSpan(1), CultureInfo.InvariantCulture, out int thread))
            return model.Graph.FindThread(thread);
        return id.StartsWith("0x", StringComparison.Ordinal) && ulong.TryParse(id.AsSpan(2), NumberStyles.HexNumber, CultureInfo.InvariantCulture, out ulong address) ? model.Graph.Find(address) : -1;
    }
}
