using System.Text.Json;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Rendering.Text;
using Async2.Dump.Dap.Protocol;
using Async2.Dump.Dap.Session;

namespace Async2.Dump.Dap.Requests;

/// <summary>The frames of a stack, a page at a time.</summary>
internal sealed class StackRequests(DapSession session)
{
    // A client that asks for all frames at once gets the first ones and their total number.
    private const int LongestPage = 10_000;

    public IEnumerable<(string Command, DapHandler Handler)> All =>
    [
        ("stackTrace", Stack),
        ("source", Source),
        ("async2/locate", Locate),
    ];

    private Sources Sources => session.HasCapture ? session.Sources : throw DapError.Refused("Nothing is open.");

    private DapReply Stack(DapRequest request, CancellationToken cancellation)
    {
        DapCapture capture = session.Capture;
        int thread = request.RequiredNumber("threadId");
        if (capture.Snapshot.Stacks.IsEmpty && thread == capture.Threads.First)
            return new DapReply(WriteNothing);
        StackLines lines = capture.LinesOf(thread);
        int start = Math.Min(request.Number("startFrame") ?? 0, lines.Count);
        int levels = request.Number("levels") is { } wanted and > 0 ? wanted : LongestPage;
        int end = Math.Min(lines.Count, start + Math.Min(levels, LongestPage));
        return new DapReply(writer =>
        {
            writer.WriteStartArray("stackFrames");
            for (int line = start; line < end; line++)
                WriteLine(writer, lines, line, capture.Frames.Of(thread, lines.Count, line), capture.Shown is { } shown && shown.Thread == thread ? shown.Frame : 0);
            writer.WriteEndArray();
            writer.WriteNumber("totalFrames", lines.Count);
        });
    }

    private void WriteNothing(Utf8JsonWriter writer)
    {
        writer.WriteStartArray("stackFrames");
        writer.WriteStartObject();
        WriteLabel(writer, session.Capture.Frames.Of(session.Capture.Threads.First, 1, 0), new AnswerSummary(session.Capture).Sentence);
        writer.WriteEndObject();
        writer.WriteEndArray();
        writer.WriteNumber("totalFrames", 1);
    }

    // Clients select the first frame with a source that is not marked as less important.
    private void WriteLine(Utf8JsonWriter writer, StackLines lines, int line, int id, int first)
    {
        (StackLineKind kind, int index) = lines[line];
        writer.WriteStartObject();
        if (kind != StackLineKind.Frame)
        {
            WriteLabel(writer, id, LabelText.Of(lines.Stack, kind, index));
        }
        else
        {
            LogicalFrame frame = lines.Stack.Frames[index];
            writer.WriteNumber("id", id);
            writer.WriteString("name", StackNames.Of(frame));
            Sources.Write(writer, frame, isLess: index < first);
            writer.WriteString("presentationHint", frame.IsFramework ? "subtle" : "normal");
        }
        writer.WriteEndObject();
    }

    private static void WriteLabel(Utf8JsonWriter writer, int id, string text)
    {
        writer.WriteNumber("id", id);
        writer.WriteString("name", text);
        writer.WriteNumber("line", 0);
        writer.WriteNumber("column", 0);
        writer.WriteString("presentationHint", "label");
    }

    private DapReply Source(DapRequest request, CancellationToken cancellation)
    {
        int reference = request.Find("source") is { ValueKind: JsonValueKind.Object } source
            && source.TryGetProperty("sourceReference", out JsonElement value) && value.ValueKind == JsonValueKind.Number && value.TryGetInt32(out int number) && number > 0
            ? number : request.RequiredNumber("sourceReference");
        string text = Sources.TextOf(reference);
        return new DapReply(writer =>
        {
            writer.WriteString("content", text);
            writer.WriteString("mimeType", "text/plain");
        });
    }

    private DapReply Locate(DapRequest request, CancellationToken cancellation)
    {
        LogicalStack stack = session.Capture.StackOf(session.Capture.ThreadOf(request.RequiredText("stack")));
        int frame = request.Number("frame") ?? 0;
        if (frame >= stack.Frames.Count)
            throw DapError.Unknown($"There is no frame {frame}: {stack.Id} has {DisplayText.Count(stack.Frames.Count, "frame")}.");
        return new DapReply(writer => Sources.Write(writer, stack.Frames[frame]));
    }
}
