using System.Text.Json;
using Async2.Analysis.Comparison;
using Async2.Analysis.Rendering.Changes;
using Async2.Analysis.Rendering.Json;
using Async2.Analysis.Rendering.Text;

namespace Async2.Analysis.Rendering.Formats;

/// <summary>What changed between two targets, for people and for programs.</summary>
public static class DiffRenderer
{
    internal const int ManyGroups = 500;

    internal static readonly WireJson Json = new(new JsonSerializerOptions(WireJson.Default.Options) { Encoder = new WireEncoder() });

    /// <summary>Writes schema <c>async2.diff/1</c>, described in <c>docs/async2.diff.schema.json</c>.</summary>
    public static void WriteJson(TargetDiff diff, RenderOptions options, Stream output)
    {
        var document = new DiffDocument
        {
            Schema = DiffDocument.SchemaId,
            Before = WireRecords.Of(diff.Before),
            After = WireRecords.Of(diff.After),
            ApartMs = diff.ApartMs,
            Collected = diff.Collected,
            Filter = diff.Filter,
            Totals = new(diff.Totals),
            Groups = diff.Groups.Take(options.Limit ?? int.MaxValue).Select(group => new DiffGroupRecord(group)),
            Moves = diff.Moves.Select(move => new MoveRecord(move.From, move.To, move.Count)),
            Findings = diff.Findings.Select(change => new FindingChangeRecord(change.Change, WireRecords.Of(change.Finding))),
            Queues = diff.Queues.Select(queue => new QueueRecord(queue.Name, queue.Before, queue.After)),
            Problems = diff.Problems.Select(WireRecords.Of),
            Complete = diff.Complete,
        };
        JsonSerializer.Serialize(output, document, Json.DiffDocument);
        output.Write("\n"u8);
    }

    /// <summary>Writes one page that opens from disk and needs no network: before and after in one picture.</summary>
    public static void WriteHtml(TargetDiff diff, RenderOptions options, Stream output)
    {
        string verdict = DiffText.Sentence(diff);
        DiffPage data = DiffPages.Of(diff, verdict, options);
        var page = new HtmlPage("diff", $"{HtmlRenderer.NameOf(diff.Before)} and {HtmlRenderer.NameOf(diff.After)}: what has moved", SafeText.Escape(verdict), stream => JsonSerializer.Serialize(stream, data, DiffPageJson.Default.DiffPage))
        {
            DataId = "async2-diff",
            IsBig = diff.Groups.Length > ManyGroups,
        };
        page.WriteTo(output);
    }

    /// <summary>Writes text: what is stuck first.</summary>
    public static void WriteText(TargetDiff diff, RenderOptions options, StyledText text) => new DiffText(text, options).Write(diff);
}
