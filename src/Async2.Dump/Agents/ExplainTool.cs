using System.Globalization;
using System.Text.Json.Nodes;
using Async2.Analysis.Analyses;
using static Async2.Dump.Agents.AgentSchema;

namespace Async2.Dump.Agents;

/// <summary>What a rule means.</summary>
internal sealed class ExplainTool : AgentTool
{
    public override string Name => "explain_finding";

    public override string About => "What a rule of findings means, how it is known, what would disprove it and how to fix it: its page, in Markdown.";

    public override (string Name, JsonObject Type)[] Arguments
        => [("rule!", Text("One of: " + string.Join(", ", FindingRules.All))), (After, Text("Continue at this place: the field 'next' of the answer before."))];

    public override JsonObject Answer => Record(("rule!", Text()), ("page!", Text("Markdown.")), ("next", Text("Give it as 'after' for the rest.")));

    public override Task<AgentAnswer> Run(AgentCall call, CancellationToken cancellation)
    {
        TokenBudget budget = call.Budget();
        string rule = call.Needed("rule"), page = FindingRules.PageOf(rule) ?? throw new AgentException($"there is no rule {AgentJson.Quoted(rule, 60)}", "one of: " + string.Join(", ", FindingRules.All));
        int first = 0;
        if (call.Given(After) is { } after && (!int.TryParse(after, NumberStyles.None, CultureInfo.InvariantCulture, out first) || first > page.Length))
            throw new AgentException("'after' is not a place of this page", "repeat the question with what the field 'next' said");
        string text = FindingRules.SummaryOf(rule);
        budget.Spend(text);
        int count = budget.Fit(page, first);
        if (first + count < page.Length && page.LastIndexOf('\n', first + count - 1, count) is > 0 and var line && line > first)
            count = line + 1 - first;
        var data = new JsonObject { ["rule"] = rule, ["page"] = page.Substring(first, count) };
        return Task.FromResult(new AgentAnswer(text, data.With("next", first + count < page.Length ? (first + count).ToString(CultureInfo.InvariantCulture) : null)));
    }
}
