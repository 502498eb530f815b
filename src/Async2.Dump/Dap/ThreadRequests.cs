using System.Text.Json;

namespace Async2.Dump.Dap;

/// <summary>Stacks as threads, and why they stand still.</summary>
internal sealed class ThreadRequests(DapSession session)
{
    public IEnumerable<(string Command, DapHandler Handler)> All =>
    [
        ("threads", (_, _) => new DapReply(WriteThreads)),
        ("exceptionInfo", (_, _) => new DapReply(new Verdict(session.Look).WriteException)),
        ("async2/select", Select),
    ];

    private void WriteThreads(Utf8JsonWriter writer)
    {
        writer.WriteStartArray("threads");
        // Clients may ask before anything is open.
        if (session.HasLook)
        {
            foreach (int thread in session.Look.Threads.Shown)
                WriteThread(writer, thread, StackNames.Of(session.Look.StackOf(thread)));
            // A session without threads looks like one that runs.
            if (session.Look.Snapshot.Stacks.IsEmpty)
                WriteThread(writer, session.Look.Threads.First, new Verdict(session.Look).Sentence);
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
        Look look = session.Look;
        int thread = look.ThreadOf(request.RequiredText("stack"));
        look.Threads.Show(thread);
        look.Watched = thread;
        look.Frames.Renumber(thread);
        return new DapReply(
            writer => writer.WriteNumber("threadId", thread),
            () => new Verdict(look).SendStopped(session.Client, thread, isChosen: true));
    }
}
