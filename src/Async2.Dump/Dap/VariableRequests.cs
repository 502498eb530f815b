using System.Text.Json;
using Async2.Analysis.Stacks;

namespace Async2.Dump.Dap;

/// <summary>Variables of frames, and whatever else can be opened.</summary>
internal sealed class VariableRequests(DapSession session)
{
    public IEnumerable<(string Command, DapHandler Handler)> All =>
    [
        ("scopes", Scopes),
        ("variables", Variables),
    ];

    private DapReply Scopes(DapRequest request, CancellationToken cancellation)
    {
        Look look = session.Look;
        (int thread, int line) = look.Frames.Find(request.RequiredNumber("frameId"));
        if (!look.Snapshot.Stacks.IsEmpty)
            look.Watched = thread;
        return new DapReply(writer =>
        {
            writer.WriteStartArray("scopes");
            if (!look.Snapshot.Stacks.IsEmpty)
                WriteScopes(writer, look, thread, line);
            writer.WriteEndArray();
        });
    }

    private static void WriteScopes(Utf8JsonWriter writer, Look look, int thread, int line)
    {
        StackLines lines = look.LinesOf(thread);
        (StackLineKind kind, int frame) = lines[line];
        LogicalStack stack = lines.Stack;
        if (kind == StackLineKind.Frame)
            WriteScope(writer, look, "Locals", "locals", look.OfFrames.LocalsOf(thread, stack, frame));
        // A label stands for the stack, and not for a frame.
        WriteScope(writer, look, "Wait", null, look.OfFrames.WaitOf(thread, stack, kind == StackLineKind.Frame ? frame : stack.Frames.Count));
    }

    private static void WriteScope(Utf8JsonWriter writer, Look look, string name, string? hint, VariableNode node)
    {
        writer.WriteStartObject();
        writer.WriteString("name", name);
        if (hint is not null)
            writer.WriteString("presentationHint", hint);
        look.Variables.WriteReference(writer, node);
        writer.WriteBoolean("expensive", false);
        writer.WriteEndObject();
    }

    private DapReply Variables(DapRequest request, CancellationToken cancellation)
    {
        Look look = session.Look;
        VariableNode node = look.Variables.Find(request.RequiredNumber("variablesReference"));
        bool isMeant = request.Text("filter") is not { } filter || filter == (node.IsIndexed ? "indexed" : "named");
        int start = request.Number("start") ?? 0;
        int? count = request.Number("count") is { } wanted and > 0 ? wanted : null;
        return new DapReply(writer => look.Variables.Write(writer, node, isMeant ? start : node.Count, count));
    }
}
