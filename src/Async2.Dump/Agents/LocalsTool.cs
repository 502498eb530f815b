using System.Globalization;
using System.Text.Json.Nodes;
using Async2.Analysis;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Rendering.Text;
using static Async2.Dump.Agents.AgentSchema;

namespace Async2.Dump.Agents;

/// <summary>Arguments and locals of frames, if the person who started the server allows it.</summary>
internal sealed class LocalsTool : AgentTool
{
    public override string Name => "locals";

    public override string About => "Arguments and locals of the frames of one stack of a capture, as text in C# form.";

    public override (string Name, JsonObject Type)[] Arguments =>
        [("capture!", Text("Id that analyze returned.")), ("stack!", Text("Its id or key.")), ("frame", Number("Only of this frame: its index.")), (After, Text("Continue behind the frame with this index: the field 'next' of the answer before."))];

    public override JsonObject Answer => Record(
        ("note!", Text()),
        ("frames!", List(Record(("index!", Number()), ("method!", Text()), ("locals!", List(Record(("name!", Text()), ("type", Text()), ("value!", Text()), ("exactness!", Text()))))))),
        ("next", Text("Give it as 'after' for the other frames.")));

    public override Task<AgentAnswer> Run(AgentCall call, CancellationToken cancellation)
    {
        TokenBudget budget = call.Budget();
        SavedSnapshot snapshot = call.Captures.Find(call.Needed("capture")).Snapshot;
        LogicalStack stack = AgentStacks.Find(snapshot.Ask(new AnalysisOptions(), cancellation), call.Needed("stack"));
        int first = Index(call, After, stack) is { } after ? after + 1 : 0, count = stack.Frames.Count - first;
        if (Index(call, "frame", stack) is { } only)
            (first, count) = (only, 1);
        string text = snapshot.HasLocals ? $"Variables of stack {AgentStacks.IdOf(stack)}." : "This capture was taken without variables.";
        JsonArray frames = [];
        var data = new JsonObject { ["note"] = AgentJson.Note, ["frames"] = frames };
        budget.Spend(text);
        budget.Spend(data);
        int shown = budget.Fill(frames, Enumerable.Range(first, count).Select(index => Of(snapshot, stack, index)));
        return Task.FromResult(new AgentAnswer(text, data.With("next", shown > 0 && shown < count ? (first + shown - 1).ToString(CultureInfo.InvariantCulture) : null)));
    }

    private static int? Index(AgentCall call, string name, LogicalStack stack)
        => call.Given(name) is not { } text ? null
            : int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out int index) && index < stack.Frames.Count ? index : throw new AgentException($"'{name}' is not a frame of this stack", $"give a number below {stack.Frames.Count}");

    private static JsonObject Of(SavedSnapshot snapshot, LogicalStack stack, int index) => new JsonObject
    {
        ["index"] = index,
        ["method"] = AgentJson.Safe(stack.Frames[index].Method),
        ["locals"] = new JsonArray([.. snapshot.LocalsOf(stack, index).Select(Of)]),
    };

    private static JsonObject Of(LocalValue local)
        => new JsonObject { ["name"] = AgentJson.Safe(local.Name, 100), ["value"] = AgentJson.Safe(local.Value, 300), ["exactness"] = DisplayText.Of(local.Exactness) }.With("type", local.Type);
}
