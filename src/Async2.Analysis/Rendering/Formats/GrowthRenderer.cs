using System.Text.Json;
using Async2.Analysis.Rendering.Changes;
using Async2.Analysis.Rendering.Json;
using Async2.Analysis.Rendering.Text;
using Async2.Analysis.Watching;

namespace Async2.Analysis.Rendering.Formats;

/// <summary>What only grows over several looks, for people and for programs.</summary>
public static class GrowthRenderer
{
    /// <summary>Writes schema <c>async2.growth/1</c>, described in <c>docs/async2.growth.schema.json</c>.</summary>
    public static void WriteJson(TargetGrowth growth, RenderOptions options, Stream output)
    {
        var document = new GrowthDocument
        {
            Schema = GrowthDocument.SchemaId,
            Targets = growth.Targets.Select(WireRecords.Of),
            OverMs = growth.OverMs,
            Filter = growth.Filter,
            Stacks = growth.Stacks,
            Groups = growth.Groups.Take(options.Limit ?? int.MaxValue).Select(group => new GrowthRecord(group)),
            Others = growth.Others,
            Problems = growth.Problems.Select(WireRecords.Of),
            Complete = growth.Complete,
        };
        JsonSerializer.Serialize(output, document, DiffRenderer.Json.GrowthDocument);
        output.Write("\n"u8);
    }

    /// <summary>Writes one page that opens from disk and needs no network: each group with a line of how many every look has.</summary>
    public static void WriteHtml(TargetGrowth growth, RenderOptions options, Stream output)
    {
        GrowthPage data = GrowthPage.Of(growth, options);
        var page = new HtmlPage("diff", $"{HtmlRenderer.NameOf(growth.Targets[^1])}: what only grows", data.Verdict, stream => JsonSerializer.Serialize(stream, data, GrowthPageJson.Default.GrowthPage))
        {
            DataId = "async2-growth",
            IsBig = growth.Groups.Length > DiffRenderer.ManyGroups,
        };
        page.WriteTo(output);
    }

    /// <summary>Writes text: what grows most first.</summary>
    public static void WriteText(TargetGrowth growth, RenderOptions options, StyledText text) => new GrowthText(text, options).Write(growth);
}
