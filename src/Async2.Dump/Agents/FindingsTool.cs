using System.Text.Json.Nodes;
using Async2.Analysis;
using Async2.Analysis.Model;
using Async2.Analysis.Query;
using Async2.Analysis.Rendering.Text;
using static Async2.Dump.Agents.AgentSchema;

namespace Async2.Dump.Agents;

/// <summary>The findings of a capture, with what proves them.</summary>
internal sealed class FindingsTool : AgentTool
{
    public override string Name => "findings";

    public override string About => "The findings of a capture with their evidence (who waits for whom, file and line of each), what would disprove them, and what to do next.";

    public override (string Name, JsonObject Type)[] Arguments =>
        [("capture!", Text("Id that analyze returned.")), ("rule", Text("Only those of this rule.")), (After, Text("Continue behind the finding with this id: the field 'next' of the answer before."))];

    public override JsonObject Answer => Record(("note!", Text()), ("findings!", List(AgentFindings.Shape, "Worst first.")), ("next", Text("Give it as 'after' for the other ones.")));

    public override Task<AgentAnswer> Run(AgentCall call, CancellationToken cancellation)
    {
        TokenBudget budget = call.Budget();
        StackView view = call.Captures.Find(call.Needed("capture")).Snapshot.Ask(new AnalysisOptions(), cancellation);
        Finding[] all = [.. call.Given("rule") is { } rule ? view.Findings.Where(finding => finding.Rule == rule) : view.Findings];
        int first = call.Given(After) is { } after ? Array.FindIndex(all, finding => finding.Id == after) + 1 : 0;
        if (first == 0 && call.Given(After) is not null)
            throw new AgentException("there is no finding with the id of 'after'", "repeat the question with what the field 'next' said");
        string text = all.Length == 0 ? "No findings." : $"{DisplayText.Count(all.Length, "finding", "findings")}; {AgentFindings.Line(all[Math.Min(first, all.Length - 1)])}";
        JsonArray list = [];
        var data = new JsonObject { ["note"] = AgentJson.Note, ["findings"] = list };
        budget.Spend(text);
        budget.Spend(data);
        int shown = budget.Fill(list, all.Skip(first).Select(finding => AgentFindings.Of(finding, view, brief: false)));
        // One that is too long for the answer is there without its evidence.
        if (shown == 0 && first < all.Length)
            shown = budget.Fill(list, [AgentFindings.Of(all[first], view, brief: true)]);
        return Task.FromResult(new AgentAnswer(text, data.With("next", shown > 0 && first + shown < all.Length ? all[first + shown - 1].Id : null)));
    }
}
