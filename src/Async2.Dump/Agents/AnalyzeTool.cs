using System.Globalization;
using System.Text.Json.Nodes;
using Async2.Analysis;
using Async2.Analysis.Model;
using Async2.Analysis.Query;
using Async2.Analysis.Rendering.Text;
using static Async2.Dump.Agents.AgentSchema;

namespace Async2.Dump.Agents;

/// <summary>Reads a target, and says what is wrong and what it waits for.</summary>
internal sealed class AnalyzeTool : AgentTool
{
    private const double ShareOfFindings = 0.45;
    private const double ShareOfProblems = 0.15;

    public override string Name => "analyze";

    public override string About => "Reads a .NET process or dump once (a process is stopped for some milliseconds) and returns a capture id, findings with the worst first, and the largest groups of async stacks. Ask the capture for more.";

    public override (string Name, JsonObject Type)[] Arguments => [("target!", Text("A process id, the name of a process, a dump, a .async2snap file, or a capture id."))];

    public override JsonObject Answer => Record(
        ("note!", Text()), ("capture!", Text("Ask for more with it.")),
        ("target!", Record(("kind!", Text()), ("pid", Number()), ("name", Text()), ("runtime", Text()), ("takenAt", Text()), ("stoppedMs", Number("How long the process was stopped.")))),
        ("complete!", Flag("False if stacks are known to be missing: see problems.")), ("stacks!", Number()), ("groups!", Number()), ("idle", Number("Idle loops of a server, among the stacks.")),
        ("findings!", List(AgentFindings.Shape, "Worst first, without evidence: the tool findings has it.")), ("moreFindings", Number()),
        ("largest!", List(AgentStacks.Group, "Largest first.")), ("next", Text("Give it to query as 'after' for the other groups.")),
        ("problems", List(Text(), "What could not be read or decided.")), ("moreProblems", Number()));

    public override async Task<AgentAnswer> Run(AgentCall call, CancellationToken cancellation)
    {
        TokenBudget budget = call.Budget();
        Capture capture = await call.Captures.Of(call.Needed("target"), cancellation).ConfigureAwait(false);
        StackView view = capture.Snapshot.Ask(new AnalysisOptions(), cancellation);
        string text = Sentences(capture, view);
        JsonArray findings = [], groups = [], problems = [];
        var data = new JsonObject
        {
            ["note"] = AgentJson.Note, ["capture"] = capture.Id, ["target"] = Target(capture, view.Target), ["complete"] = view.Complete, ["stacks"] = view.Totals.Stacks, ["groups"] = view.Stacks.Length,
        }.With("idle", view.Totals.Idle > 0 ? view.Totals.Idle : (long?)null);
        data["findings"] = findings;
        data["largest"] = groups;
        budget.Spend(text);
        budget.Spend(data);
        int found = budget.Fill(findings, view.Findings.Select(finding => AgentFindings.Of(finding, view, brief: true)), ShareOfFindings);
        int said = budget.Fill(problems, view.Problems.Select(Line), ShareOfProblems);
        int shown = budget.Fill(groups, view.Stacks.Select(AgentStacks.Brief));
        return new(text, data.With("moreFindings", Rest(view.Findings.Length, found)).With("problems", problems).With("moreProblems", Rest(view.Problems.Length, said)).With("next", AgentStacks.PlaceAfter(view, shown)));
    }

    private static string Sentences(Capture capture, StackView view)
    {
        string head = string.Create(CultureInfo.InvariantCulture,
            $"Capture {capture.Id}: {DisplayText.Count(view.Totals.Stacks, "stack", "stacks")} in {DisplayText.Count(view.Stacks.Length, "group", "groups")}{(view.Complete ? "" : ", incomplete: see problems")}.");
        return view.Findings.IsEmpty ? head + " No findings." : $"{head} {DisplayText.Count(view.Findings.Length, "finding", "findings")}, the worst: {AgentFindings.Line(view.Findings[0])}";
    }

    private static JsonObject Target(Capture capture, TargetFacts target) => new JsonObject { ["kind"] = DisplayText.Of(capture.Kind) }
        .With("pid", target.Pid).With("name", capture.Program ?? target.ProcessName).With("runtime", target.Runtime).With("takenAt", target.TakenAt?.ToString("O", CultureInfo.InvariantCulture))
        .With("stoppedMs", target.FreezeMs is { } stopped ? (long)Math.Ceiling(stopped) : (long?)null);

    private static JsonNode Line(Problem problem) => AgentJson.Safe(problem.Code + ": " + problem.Text, 300);

    private static long? Rest(int all, int shown) => all > shown ? all - shown : null;
}
