using System.Text.Json.Nodes;
using Async2.Analysis;
using Async2.Analysis.Comparison;
using Async2.Analysis.Rendering.Text;
using static Async2.Dump.Agents.AgentSchema;

namespace Async2.Dump.Agents;

/// <summary>What is stuck, moved, new and gone between two captures.</summary>
internal sealed class DiffTool : AgentTool
{
    private const double ShareOfFindings = 0.3;

    private static readonly JsonObject Counts = Record(("before!", Number()), ("after!", Number()), ("stuck!", Number("The same operation at the same place.")), ("moved!", Number()), ("new!", Number()), ("gone!", Number()));

    public override string Name => "diff";

    public override string About => "Compares two captures of one program: what is stuck, moved, new and gone, by group. Names two captures, or targets that are read now.";

    public override (string Name, JsonObject Type)[] Arguments => [("before!", Text("The earlier one: a capture id or a target.")), ("now!", Text("The later one."))];

    public override JsonObject Answer => Record(
        ("note!", Text()), ("before!", Text("Capture id.")), ("now!", Text("Capture id.")), ("apartMs", Number()), ("complete!", Flag()), ("totals!", Counts),
        ("findings", List(Record(("change!", Text("still, new or gone.")), ("rule!", Text()), ("text!", Text())))), ("moreFindings", Number()),
        ("groups!", List(Record(("counts!", Counts), ("stack!", AgentStacks.Group)), "Those with most stuck stacks and changes first.")), ("moreGroups", Number("Groups that did not fit: ask for more tokens.")));

    public override async Task<AgentAnswer> Run(AgentCall call, CancellationToken cancellation)
    {
        TokenBudget budget = call.Budget();
        Capture before = await call.Captures.Of(call.Needed("before"), cancellation).ConfigureAwait(false), now = await call.Captures.Of(call.Needed("now"), cancellation).ConfigureAwait(false);
        TargetDiff diff = TargetComparison.Compare(before.Snapshot.Model, now.Snapshot.Model, new AnalysisOptions { Comparable = true }, cancellation);
        ChangeCounts totals = diff.Totals;
        string text = $"{before.Id} to {now.Id}: {DisplayText.Number(totals.Stuck)} stuck, {DisplayText.Number(totals.Moved)} moved, {DisplayText.Number(totals.New)} new, {DisplayText.Number(totals.Gone)} gone{(diff.Complete ? "" : "; incomplete")}.";
        JsonArray findings = [], groups = [];
        JsonObject data = new JsonObject { ["note"] = AgentJson.Note, ["before"] = before.Id, ["now"] = now.Id, ["complete"] = diff.Complete, ["totals"] = Of(totals) }.With("apartMs", diff.ApartMs);
        data["groups"] = groups;
        budget.Spend(text);
        budget.Spend(data);
        int said = budget.Fill(findings, diff.Findings.Select(Of), ShareOfFindings), shown = budget.Fill(groups, diff.Groups.Select(Of));
        return new(text, data.With("findings", findings).With("moreFindings", said < diff.Findings.Length ? diff.Findings.Length - said : (long?)null)
            .With("moreGroups", shown < diff.Groups.Length ? diff.Groups.Length - shown : (long?)null));
    }

    private static JsonObject Of(FindingChange change)
        => new JsonObject { ["change"] = DisplayText.Of(change.Change), ["rule"] = change.Finding.Rule, ["text"] = AgentJson.Safe(change.Finding.Text) };

    private static JsonObject Of(DiffGroup group) => new JsonObject { ["counts"] = Of(group.Counts), ["stack"] = AgentStacks.Brief(group.Stack, id: null) };

    private static JsonObject Of(ChangeCounts counts) => new()
    {
        ["before"] = counts.Before, ["after"] = counts.After, ["stuck"] = counts.Stuck, ["moved"] = counts.Moved, ["new"] = counts.New, ["gone"] = counts.Gone,
    };
}
