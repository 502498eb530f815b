using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Model.Graph;

namespace Async2.Tests.Support;

/// <summary>
/// The edges of a model in words, equal ones counted: <c>EnterAsync blocked-on Semaphore Named.Door (WaitQueue) x3</c>. A node with frames is called
/// by its innermost method of the program, one without by its kind.
/// </summary>
internal static class GraphText
{
    /// <summary>Lines in ordinal order.</summary>
    /// <param name="model">The model.</param>
    /// <param name="isWanted">Which edges.</param>
    public static IReadOnlyList<string> Of(AsyncModel model, Func<Edge, bool>? isWanted = null)
    {
        var lines = new Dictionary<string, int>(StringComparer.Ordinal);
        foreach (Edge edge in Edges(model).Where(isWanted ?? (_ => true)))
        {
            string line = $"{NameOf(model, edge.From)} {edge.Kind} {NameOf(model, edge.To)} ({edge.Source})";
            lines[line] = lines.GetValueOrDefault(line) + 1;
        }
        return [.. lines.Select(line => line.Value == 1 ? line.Key : $"{line.Key} x{line.Value}").Order(StringComparer.Ordinal)];
    }

    /// <summary>All edges.</summary>
    public static IEnumerable<Edge> Edges(AsyncModel model) => Enumerable.Range(0, model.Graph.Count).SelectMany(model.Graph.EdgesFrom);

    /// <summary>What a node is called.</summary>
    public static string NameOf(AsyncModel model, int node)
    {
        GraphNode known = model.Graph[node];
        return known.Kind switch
        {
            AsyncNodeKind.Resource => $"{known.ResourceKind} {known.Name ?? (known.ResourceKind is WaitKind.Timer ? "" : known.Type?.Split('.')[^1])}".TrimEnd(),
            AsyncNodeKind.Context => known.Name ?? "thread pool",
            AsyncNodeKind.Thread => "thread",
            AsyncNodeKind.ThreadSegment => "frames of " + (MethodOf(model, node) ?? "a thread"),
            AsyncNodeKind.Combinator or AsyncNodeKind.Task => known.Kind.ToString(),
            _ => MethodOf(model, node) ?? "an operation",
        };
    }

    private static string? MethodOf(AsyncModel model, int node)
    {
        if (model.Graph.StackOf(node) is not (>= 0 and var stack))
            return null;
        StackShape shape = model.Stacks.ShapeOf(stack);
        int part = Enumerable.Range(0, shape.Parts.Length).First(i => model.Stacks.NodeOf(stack, i) == node);
        int first = part == 0 ? 0 : shape.Parts[part - 1].End;
        LogicalFrame? frame = shape.Places[first..shape.Parts[part].End].Select(place => model.Places[place]).FirstOrDefault(place => place.Origin == FrameOrigin.User)?.Frame;
        return frame?.Name ?? frame?.Method.Split('.')[^1];
    }
}
