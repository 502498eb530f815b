using System.Text.Json;
using Async2.Dump.Dap.Protocol;
using Async2.Dump.Dap.Session;

namespace Async2.Dump.Dap.Requests;

/// <summary>Stacks as threads, and the reason why they stopped.</summary>
internal sealed class ThreadRequests(DapSession session)
{
    public IEnumerable<(string Command, DapHandler Handler)> All =>
    [
        ("threads", (_, _) => new DapReply(WriteThreads)),
        ("exceptionInfo", (_, _) => new DapReply(new AnswerSummary(session.Capture).WriteException)),
        ("async2/select", Select),
    ];

    private void WriteThreads(Utf8JsonWriter writer)
    {
        writer.WriteStartArray("threads");
        // Clients may ask before anything is open.
        if (session.HasCapture)
        {
            foreach (int thread in session.Capture.Threads.Shown)
                WriteThread(writer, thread, StackNames.Of(session.Capture.StackOf(thread)));
            // A session without threads looks like one that runs.
            if (session.Capture.Snapshot.Stacks.IsEmpty)
                WriteThread(writer, session.Capture.Threads.First, new AnswerSummary(session.Capture).Sentence);
        }
        writer.WriteEndArray();
    }

    private static void WriteThread(Utf8JsonWriter writer, int id, string name)
    {
        writer.WriteStartObject();
        writer.WriteNumber("id", id);
        writer.WriteString("name", name);
        writer.WriteEndObject();
    }

    private DapReply Select(DapRequest request, CancellationToken cancellation)
    {
        DapCapture capture = session.Capture;
        int thread = capture.ThreadOf(request.RequiredText("stack"));
        capture.Threads.Show(thread);
        capture.Watched = thread;
        capture.Shown = null;
        capture.Frames.Renumber(thread);
        return new DapReply(
            writer => writer.WriteNumber("threadId", thread),
            () => new AnswerSummary(capture).SendStopped(session.Client, thread, isChosen: true));
    }
}
