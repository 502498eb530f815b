using System.Text.Json.Nodes;
using Async2.Analysis.Model;
using Async2.Analysis.Query;
using Async2.Analysis.Rendering.Text;

namespace Async2.Dump.Agents;

/// <summary>Findings as agents see them.</summary>
internal static class AgentFindings
{
    private const int MostStacks = 10;
    private const int MostEvidence = 12;

    private static readonly JsonObject Evidence = AgentSchema.Record(
        ("text!", AgentSchema.Text()), ("method", AgentSchema.Text()), ("file", AgentSchema.Text()), ("line", AgentSchema.Number()), ("stack", AgentSchema.Text()), ("relation", AgentSchema.Text()));

    /// <summary>The shape of one.</summary>
    public static JsonObject Shape { get; } = AgentSchema.Record(
        ("id!", AgentSchema.Text()), ("rule!", AgentSchema.Text("explain_finding says what it means.")), ("severity!", AgentSchema.Text("error, warning or info.")),
        ("confidence!", AgentSchema.Text("certain, likely or possible.")), ("text!", AgentSchema.Text()), ("blocked!", AgentSchema.Number("Stacks that hang on it.")),
        ("stacks", AgentSchema.List(AgentSchema.Text(), "Ids of the stacks that prove it.")), ("moreStacks", AgentSchema.Number()), ("age", AgentSchema.Text()),
        ("evidence", AgentSchema.List(Evidence, "Who waits for whom, in order.")), ("moreEvidence", AgentSchema.Number()),
        ("disprovedBy", AgentSchema.Text("What would show that it is wrong.")), ("nextStep", AgentSchema.Text("What to do.")));

    /// <param name="finding">One.</param>
    /// <param name="view">The answer that it is of.</param>
    /// <param name="brief">Without what proves it.</param>
    public static JsonObject Of(Finding finding, StackView view, bool brief)
    {
        JsonObject record = new JsonObject
        {
            ["id"] = finding.Id, ["rule"] = finding.Rule, ["severity"] = DisplayText.Of(finding.Severity), ["confidence"] = DisplayText.Of(finding.Confidence),
            ["text"] = AgentJson.Safe(finding.Text, 800), ["blocked"] = finding.Blocked,
        }.With("stacks", AgentJson.List(finding.Stacks.Take(MostStacks).Select(id => AgentStacks.IdIn(view, id)).OfType<string>())).With("moreStacks", Rest(finding.Stacks.Length, MostStacks)).With("age", AgentStacks.Age(finding.Age));
        if (brief)
            return record;
        return record.With("evidence", new JsonArray([.. finding.Evidence.Take(MostEvidence).Select(step => Step(step, view))])).With("moreEvidence", Rest(finding.Evidence.Length, MostEvidence))
            .With("disprovedBy", finding.DisprovedBy).With("nextStep", finding.Next);
    }

    /// <summary>In a sentence, between quotes: it has names of the target in it.</summary>
    public static string Line(Finding finding) => $"{DisplayText.Of(finding.Severity)} {finding.Rule} ({DisplayText.Of(finding.Confidence)}): {AgentJson.Quoted(finding.Text, 300)}";

    private static JsonObject Step(Evidence step, StackView view) => new JsonObject { ["text"] = AgentJson.Safe(step.Text) }
        .With("method", step.Method).With("file", step.File).With("line", step.Line).With("stack", step.Stack is { } stack ? AgentStacks.IdIn(view, stack) : null).With("relation", step.Relation is { } relation ? DisplayText.Of(relation) : null);

    private static long? Rest(int all, int shown) => all > shown ? all - shown : null;
}
