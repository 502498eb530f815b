using System.Text.Json;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Dump.Dap.Protocol;
using Async2.Dump.Dap.Session;

namespace Async2.Dump.Dap.Requests;

/// <summary>How a session starts, and how it reads a live process again.</summary>
internal sealed class LaunchRequests(DapSession session)
{
    private bool _hasStopped;

    public IEnumerable<(string Command, DapHandler Handler)> All =>
    [
        ("initialize", Initialize),
        ("launch", Begin),
        ("attach", Begin),
        ("configurationDone", Configured),
        ("pause", Refresh),
        ("async2/refresh", Refresh),
    ];

    private DapReply Initialize(DapRequest request, CancellationToken cancellation)
    {
        session.Features = ClientFeatures.Read(request);
        return new DapReply(Capabilities);
    }

    // Only implemented features: a client offers whatever is listed here.
    private void Capabilities(Utf8JsonWriter writer)
    {
        if (session.Features.DelaysFrames)
            writer.WriteBoolean("supportsDelayedStackTraceLoading", true);
        foreach (string capability in (string[])
        [
            "supportsConfigurationDoneRequest",
            "supportsExceptionInfoRequest",
            "supportsEvaluateForHovers",
            "supportsCancelRequest",
            "supportsCompletionsRequest",
        ])
        {
            writer.WriteBoolean(capability, true);
        }
        writer.WriteStartArray("completionTriggerCharacters");
        foreach (string character in (string[])[QueryRequests.Prefix, ":", ",", ".", "$"])
            writer.WriteStringValue(character);
        writer.WriteEndArray();
    }

    private DapReply Begin(DapRequest request, CancellationToken cancellation)
    {
        if (session.HasCapture)
            throw DapError.Refused("This session already has a target: start another session.");
        LaunchArguments arguments = LaunchArguments.Read(request);
        // Before the target is read: the client's configuration requests can run meanwhile.
        session.Client.Event("initialized");
        session.CaptureTarget(arguments, request, cancellation);
        return new DapReply(Then: () =>
        {
            if (session.IsConfigured)
                Stop();
        });
    }

    private DapReply Configured(DapRequest request, CancellationToken cancellation)
    {
        session.IsConfigured = true;
        return new DapReply(Then: () =>
        {
            if (session.HasCapture && !_hasStopped)
                Stop();
        });
    }

    private DapReply Refresh(DapRequest request, CancellationToken cancellation)
    {
        if (!session.HasCapture)
            throw DapError.Refused("Nothing is open: launch a dump or attach to a process first.");
        if (session.Arguments.IsDump)
            throw DapError.Refused("A dump does not change: there is nothing new to see.");
        try
        {
            LogicalStack? seen = session.Capture.Watched is { } watched ? session.Capture.StackOf(watched) : null;
            int? frame = session.Capture.WatchedFrame;
            session.CaptureTarget(session.Arguments, request, cancellation);
            return Changed(seen, frame);
        }
        catch (Exception exception) when (exception is not OperationCanceledException)
        {
            // The last capture stays, so the error has to say that it is old.
            session.Client.WriteOutput($"{DapError.From(exception).Text} What is shown is from the last capture.");
            throw;
        }
    }

    // The selected stack stays selected, and the frame, if the stack still has it: it is counted from the outermost, which moves last.
    private DapReply Changed(LogicalStack? seen, int? fromOutermost)
    {
        int? thread = seen is null ? null : SameStack.In(session.Capture.Snapshot.Stacks, seen);
        if (thread is { } known)
        {
            session.Capture.Threads.Show(known);
            session.Capture.Watched = known;
            if (fromOutermost is { } place && FrameAt(session.Capture.StackOf(known), place) is { } now && FrameAt(seen!, place) is { } was && now.Method == was.Method)
                session.Capture.Shown = (known, session.Capture.StackOf(known).Frames.Count - 1 - place);
        }
        return new DapReply(Then: () =>
        {
            session.Client.Event("async2/changed");
            Stop(thread);
        });
    }

    private static LogicalFrame? FrameAt(LogicalStack stack, int fromOutermost)
        => fromOutermost < stack.Frames.Count ? stack.Frames.WithoutAddress(stack.Frames.Count - 1 - fromOutermost) : null;

    private void Stop(int? thread = null)
    {
        _hasStopped = true;
        var summary = new AnswerSummary(session.Capture);
        session.Client.WriteOutput(summary.Lines);
        if (summary.LeftOut is { } leftOut)
            session.Client.WriteOutput(leftOut);
        if (summary.Idle is { } idle)
            session.Client.WriteOutput(idle);
        summary.SendStopped(session.Client, thread ?? session.Capture.Threads.First, isChosen: thread is not null);
    }
}
