using System.Text.Json;
using Async2.Analysis.Model;
using Async2.Dump.Dap.Protocol;
using Async2.Dump.Dap.Session;

namespace Async2.Dump.Dap.Requests;

/// <summary>Variables of frames, and everything else that can be expanded.</summary>
internal sealed class VariableRequests(DapSession session)
{
    public IEnumerable<(string Command, DapHandler Handler)> All =>
    [
        ("scopes", Scopes),
        ("variables", Variables),
    ];

    private DapReply Scopes(DapRequest request, CancellationToken cancellation)
    {
        DapCapture capture = session.Capture;
        (int thread, int line) = capture.Frames.Find(request.RequiredNumber("frameId"));
        if (!capture.Snapshot.Stacks.IsEmpty)
        {
            capture.Watched = thread;
            StackLines lines = capture.LinesOf(thread);
            capture.WatchedFrame = lines[line] is (StackLineKind.Frame, var index) ? lines.Stack.Frames.Count - 1 - index : null;
        }
        return new DapReply(writer =>
        {
            writer.WriteStartArray("scopes");
            if (!capture.Snapshot.Stacks.IsEmpty)
                WriteScopes(writer, capture, thread, line);
            writer.WriteEndArray();
        });
    }

    private static void WriteScopes(Utf8JsonWriter writer, DapCapture capture, int thread, int line)
    {
        StackLines lines = capture.LinesOf(thread);
        (StackLineKind kind, int frame) = lines[line];
        LogicalStack stack = lines.Stack;
        if (kind == StackLineKind.Frame)
            WriteScope(writer, capture, "Locals", "locals", capture.OfFrames.LocalsOf(thread, stack, frame));
        // A label stands for the stack, not for a frame.
        WriteScope(writer, capture, "Wait", null, capture.OfFrames.WaitOf(thread, stack, kind == StackLineKind.Frame ? frame : stack.Frames.Count));
    }

    private static void WriteScope(Utf8JsonWriter writer, DapCapture capture, string name, string? hint, VariableNode node)
    {
        writer.WriteStartObject();
        writer.WriteString("name", name);
        if (hint is not null)
            writer.WriteString("presentationHint", hint);
        capture.Variables.WriteReference(writer, node);
        writer.WriteBoolean("expensive", false);
        writer.WriteEndObject();
    }

    private DapReply Variables(DapRequest request, CancellationToken cancellation)
    {
        DapCapture capture = session.Capture;
        VariableNode node = capture.Variables.Find(request.RequiredNumber("variablesReference"));
        bool isMeant = request.Text("filter") is not { } filter || filter == (node.IsIndexed ? "indexed" : "named");
        int start = request.Number("start") ?? 0;
        int? count = request.Number("count") is { } wanted and > 0 ? wanted : null;
        return new DapReply(writer => capture.Variables.Write(writer, node, isMeant ? start : node.Count, count));
    }
}
