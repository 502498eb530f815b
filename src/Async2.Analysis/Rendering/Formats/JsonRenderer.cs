using System.Text.Json;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Graph;
using Async2.Analysis.Query;
using Async2.Analysis.Rendering.Exports;
using Async2.Analysis.Rendering.Json;

namespace Async2.Analysis.Rendering.Formats;

/// <summary>The answer for programs: schema <c>async2.stacks/1</c>, described in <c>docs/async2.stacks.schema.json</c>.</summary>
public sealed class JsonRenderer : IRenderer
{
    private static readonly WireJson Json = new(new JsonSerializerOptions(WireJson.Default.Options) { Encoder = new WireEncoder() });

    /// <inheritdoc/>
    public string Format => "json";

    /// <inheritdoc/>
    public void Render(StackView snapshot, RenderOptions options, Stream output)
    {
        JsonSerializer.Serialize(output, Document(snapshot, options), Json.StacksDocument);
        output.Write("\n"u8);
    }

    private static StacksDocument Document(StackView snapshot, RenderOptions options)
    {
        if (options.FindingsOnly)
            snapshot = snapshot with { Stacks = [.. ExportedStacks.OfFindings(snapshot)] };
        // Read while they are written, edges first: they say of what there is more to be said.
        var met = new List<ViewNode>();
        StacksDocument document = WithoutGraph(snapshot, options);
        return snapshot.Graph is not { } graph ? document : document with
        {
            Edges = graph.EdgesOf(snapshot.Stacks.Take(options.Limit ?? int.MaxValue).Select(stack => stack.Id), met).Select(edge => new EdgeRecord(edge)),
            Resources = Late(() => met.Where(node => node.Kind != AsyncNodeKind.Thread).Select(node => new ResourceRecord(node))),
            Threads = Late(() => met.Where(node => node.Kind == AsyncNodeKind.Thread).Select(node => new ThreadRecord(node))),
        };
    }

    private static IEnumerable<T> Late<T>(Func<IEnumerable<T>> list)
    {
        foreach (T item in list())
            yield return item;
    }

    private static StacksDocument WithoutGraph(StackView snapshot, RenderOptions options) => new()
    {
        Schema = StacksDocument.SchemaId,
        Target = WireRecords.Of(snapshot.Target),
        Totals = WireRecords.Of(snapshot.Totals),
        Matching = snapshot.Matching is { } matching ? Matching(matching) : null,
        Complete = snapshot.Complete,
        Stacks = snapshot.Stacks.Take(options.Limit ?? int.MaxValue).Select(stack => new StackRecord(stack)),
        Groups = options.GroupBy is { } grouping ? Sections(snapshot, grouping, options.Limit ?? int.MaxValue) : null,
        Findings = snapshot.Findings.Select(WireRecords.Of),
        Problems = snapshot.Problems.Select(WireRecords.Of),
    };

    private static MatchingRecord Matching(MatchingTotals matching)
        => new(matching.Filter, matching.Totals.Stacks, matching.Totals.Frames, matching.Totals.Groups);

    // Only ids in the list; the count includes all.
    private static IEnumerable<SectionRecord> Sections(StackView snapshot, GroupKey grouping, int limit)
    {
        HashSet<string> shown = [.. snapshot.Stacks.Take(limit).Select(stack => stack.Id)];
        return StackSection.Of(snapshot.Stacks, grouping)
            .Select(section => new SectionRecord(section.Key, section.Count, section.Stacks.Select(stack => stack.Id).Where(shown.Contains)));
    }
}
