using System.Text.Json.Nodes;
using Async2.Analysis;
using Async2.Analysis.Query;
using Async2.Analysis.Rendering.Text;
using static Async2.Dump.Agents.AgentSchema;

namespace Async2.Dump.Agents;

/// <summary>Groups of stacks by filters: those of the tool's own table.</summary>
internal sealed class QueryTool : AgentTool
{
    // How many are shown is a matter of tokens.
    private const string Limit = "limit";
    private const double ShareOfSections = 0.3;
    private const int SectionStacks = 5;

    /// <summary>The filters, and how the answer is sorted and divided.</summary>
    private static IEnumerable<QueryOption> Options => QueryOptionTable.All.Where(option => option.Name != Limit);

    public override string Name => "query";

    public override string About => "Groups of stacks of a capture that match all given filters, largest first. Reads nothing again. Patterns are regular expressions.";

    public override (string Name, JsonObject Type)[] Arguments =>
        [("capture!", Text("Id that analyze returned.")), .. Options.Select(option => (NameOf(option), TypeOf(option))), (After, Text("Continue behind this place: the field 'next' of the answer before."))];

    public override JsonObject Answer => Record(
        ("note!", Text()), ("matching!", Number("Stacks that match.")), ("of!", Number("Stacks of the capture.")), ("complete!", Flag()),
        ("sections", List(Record(("key!", Text()), ("count!", Number()), ("stacks!", List(Text()))), "With group_by: ids of the groups in each.")), ("moreSections", Number()),
        ("groups!", List(AgentStacks.Group)), ("next", Text("Give it as 'after' for the other groups.")));

    /// <summary>The name of an argument: <c>waiting_on</c>.</summary>
    private static string NameOf(QueryOption option) => option.Name.Replace('-', '_');

    public override Task<AgentAnswer> Run(AgentCall call, CancellationToken cancellation)
    {
        TokenBudget budget = call.Budget();
        StackQuery query = QueryOf(call);
        StackView view = call.Captures.Find(call.Needed("capture")).Snapshot.Ask(new AnalysisOptions { Query = query }, cancellation);
        long matching = view.Matching?.Totals.Stacks ?? view.Totals.Stacks;
        string text = $"{DisplayText.Number(matching)} of {DisplayText.Count(view.Totals.Stacks, "stack", "stacks")} match, in {DisplayText.Count(view.Stacks.Length, "group", "groups")}.";
        JsonArray groups = [], sections = [];
        var data = new JsonObject { ["note"] = AgentJson.Note, ["matching"] = matching, ["of"] = view.Totals.Stacks, ["complete"] = view.Complete };
        budget.Spend(text);
        budget.Spend(data);
        long? more = null;
        if (query.GroupBy is { } grouping && call.Given(After) is null)
        {
            StackSection[] all = [.. StackSection.Of(view.Stacks, grouping)];
            int listed = budget.Fill(sections, all.Select(SectionOf), ShareOfSections);
            more = listed < all.Length ? all.Length - listed : null;
        }
        data.With("sections", sections).With("moreSections", more)["groups"] = groups;
        int before = AgentStacks.Before(view, call.Given(After)), shown = budget.Fill(groups, view.Stacks.Skip(before).Select(AgentStacks.Brief));
        return Task.FromResult(new AgentAnswer(text, data.With("next", shown > 0 ? AgentStacks.PlaceAfter(view, before + shown) : null)));
    }

    private static StackQuery QueryOf(AgentCall call)
    {
        var query = new StackQuery();
        foreach (QueryOption option in Options)
        {
            foreach (string text in call.All(NameOf(option)))
                query = option.Apply(query, NameOf(option), text);
        }
        return query;
    }

    private static JsonObject SectionOf(StackSection section)
        => new JsonObject { ["key"] = AgentJson.Safe(section.Key, 200), ["count"] = section.Count, ["stacks"] = AgentJson.List(section.Stacks.Take(SectionStacks).Select(AgentStacks.IdOf)) };

    private static JsonObject TypeOf(QueryOption option)
    {
        string about = $"{option.WholeHelp}. For example {option.Example}";
        return option.Repeats ? List(Text(), about) : option.Kind == QueryValueKind.Number ? Number(about) : Text(about);
    }
}
