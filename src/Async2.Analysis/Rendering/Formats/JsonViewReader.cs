using System.Text.Json;
using Async2.Analysis.Query;
using Async2.Analysis.Rendering.Json;

namespace Async2.Analysis.Rendering.Formats;

/// <summary>
/// Reads an answer that <see cref="JsonRenderer"/> has written: the view renders to the same JSON again, and to the same text. What JSON does not
/// have is not in it: members of groups, and stacks that a limit left out.
/// </summary>
public static class JsonViewReader
{
    private static readonly WireJson Json = new(new JsonSerializerOptions(WireJson.Default.Options));

    /// <summary>Reads a whole answer. Fields that are not known are skipped: newer versions have more.</summary>
    /// <param name="json">UTF-8, schema <c>async2.stacks/1</c>. It is not trusted.</param>
    /// <exception cref="InvalidDataException">It is something else; the message is one sentence, and quotes nothing of it.</exception>
    public static StackView Read(Stream json)
    {
        try
        {
            return ViewOf(JsonSerializer.Deserialize(json, Json.StacksDocument) ?? throw new InvalidDataException("the answer is empty: null is not an object"));
        }
        catch (JsonException e)
        {
            throw new InvalidDataException(FormattableString.Invariant(
                $"this is not JSON of {StacksDocument.SchemaId}, from byte {e.BytePositionInLine ?? 0} of line {(e.LineNumber ?? 0) + 1} on"), e);
        }
    }

    private static StackView ViewOf(StacksDocument document)
    {
        if (document.Schema != StacksDocument.SchemaId)
            throw new InvalidDataException($"the answer has another schema than {StacksDocument.SchemaId}");
        ViewNode[] nodes = [.. (document.Resources ?? []).Select(ViewRecords.Of), .. (document.Threads ?? []).Select(ViewRecords.Of)];
        HashSet<ulong> shared = [.. nodes.Where(node => node.IsShared).Select(node => node.Address ?? 0)];
        return new StackView
        {
            Target = ViewRecords.Of(ViewRecords.Known(document.Target, "target")),
            Totals = ViewRecords.Of(ViewRecords.Known(document.Totals, "totals")),
            Matching = document.Matching is { } matching ? new(ViewRecords.Known(matching.Filter, "matching.filter"), new(matching.Stacks, matching.Frames, matching.Groups)) : null,
            Complete = document.Complete,
            Stacks = [.. ViewRecords.Known(document.Stacks, "stacks").Select(stack => ViewRecords.Of(stack, shared))],
            Graph = document.Edges is { } edges ? new StoredGraph(edges.Select(ViewRecords.Of), nodes) : null,
            Findings = [.. ViewRecords.Known(document.Findings, "findings").Select(ViewRecords.Of)],
            Problems = [.. ViewRecords.Known(document.Problems, "problems").Select(ViewRecords.Of)],
        };
    }

    /// <summary>A graph that was written.</summary>
    private sealed class StoredGraph(IEnumerable<ViewEdge> edges, ViewNode[] nodes) : ViewGraph
    {
        private readonly ILookup<string, ViewEdge> _edges = edges.ToLookup(edge => edge.From, StringComparer.Ordinal);
        private readonly Dictionary<string, ViewNode> _nodes = nodes.DistinctBy(node => node.Id).ToDictionary(node => node.Id, StringComparer.Ordinal);

        public override IEnumerable<ViewEdge> EdgesFrom(string stack) => _edges[stack];

        public override ViewNode? Find(string id) => _nodes.GetValueOrDefault(id);
    }
}
