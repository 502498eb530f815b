using System.Globalization;
using System.Text.Json.Nodes;
using Async2.Analysis;
using Async2.Analysis.Model;
using Async2.Analysis.Rendering.Text;
using static Async2.Dump.Agents.AgentSchema;

namespace Async2.Dump.Agents;

/// <summary>One stack, frame by frame.</summary>
internal sealed class StackTool : AgentTool
{
    public override string Name => "stack";

    public override string About => "All frames of one stack of a capture, innermost first, each with file and line, metadata token, module version and IL offset for a decompiler.";

    public override (string Name, JsonObject Type)[] Arguments =>
        [("capture!", Text("Id that analyze returned.")), ("stack!", Text("Its id or key.")), ("framework", Flag("Frames of .NET, too.")), (After, Text("Continue behind the frame with this index: the field 'next' of the answer before."))];

    public override JsonObject Answer => Record(("note!", Text()), ("stack!", Head()), ("frames!", List(AgentStacks.Frame)), ("next", Text("Give it as 'after' for the other frames.")));

    public override Task<AgentAnswer> Run(AgentCall call, CancellationToken cancellation)
    {
        TokenBudget budget = call.Budget();
        var options = new AnalysisOptions { IncludeFramework = call.Given("framework") == "true" };
        LogicalStack stack = AgentStacks.Find(call.Captures.Find(call.Needed("capture")).Snapshot.Ask(options, cancellation), call.Needed("stack"));
        int first = 0;
        if (call.Given(After) is { } after)
            first = int.TryParse(after, NumberStyles.None, CultureInfo.InvariantCulture, out int index) && index < stack.Frames.Count ? index + 1 : throw new AgentException("'after' is not a frame of this stack", "repeat the question with what the field 'next' said");
        string text = $"Stack {AgentStacks.IdOf(stack)}, {DisplayText.Count(stack.Frames.Count, "frame", "frames")}.";
        JsonArray frames = [];
        var data = new JsonObject { ["note"] = AgentJson.Note, ["stack"] = AgentStacks.Head(stack, AgentStacks.IdOf(stack)), ["frames"] = frames };
        budget.Spend(text);
        budget.Spend(data);
        int shown = budget.Fill(frames, Enumerable.Range(first, stack.Frames.Count - first).Select(index => AgentStacks.Whole(stack.Frames[index], index)));
        return Task.FromResult(new AgentAnswer(text, data.With("next", first + shown < stack.Frames.Count && shown > 0 ? (first + shown - 1).ToString(CultureInfo.InvariantCulture) : null)));
    }

    private static JsonObject Head()
    {
        var head = (JsonObject)AgentStacks.Group.DeepClone();
        head["properties"]!.AsObject().Remove("frames");
        head["required"] = new JsonArray("key", "count", "state");
        return head;
    }
}
