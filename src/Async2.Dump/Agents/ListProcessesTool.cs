using System.Text.Json.Nodes;
using Async2.Dump.Processes;
using static Async2.Dump.Agents.AgentSchema;

namespace Async2.Dump.Agents;

/// <summary>The processes that may be read.</summary>
internal sealed class ListProcessesTool : AgentTool
{
    public override string Name => "list_processes";

    public override string About => "Lists the .NET processes that may be read here, each with the worst finding in a word. They are not stopped.";

    public override (string Name, JsonObject Type)[] Arguments => [];

    public override JsonObject Answer => Record(
        ("note!", Text()),
        ("processes!", List(Record(("pid!", Number()), ("name!", Text()), ("runtime", Text()), ("stacks", Number()), ("verdict!", Text("The worst finding, or its state.")), ("reason", Text("Why it cannot be read."))))),
        ("more", Number("Processes that did not fit.")));

    public override async Task<AgentAnswer> Run(AgentCall call, CancellationToken cancellation)
    {
        TokenBudget budget = call.Budget();
        IReadOnlyList<ProcessRow> rows = await call.Captures.Processes(cancellation).ConfigureAwait(false);
        string text = rows.Count == 0 ? "No process that may be read here is running." : $"{rows.Count} processes may be read. Call analyze with a pid.";
        var list = new JsonArray();
        var data = new JsonObject { ["note"] = AgentJson.Note, ["processes"] = list };
        budget.Spend(text);
        budget.Spend(data);
        int shown = budget.Fill(list, rows.Select(row => new JsonObject { ["pid"] = row.Pid, ["name"] = AgentJson.Safe(row.Name, 100), ["verdict"] = row.Verdict }
            .With("runtime", row.Runtime).With("stacks", row.Stacks).With("reason", row.Reason)));
        return new(text, data.With("more", shown < rows.Count ? rows.Count - shown : (long?)null));
    }
}
