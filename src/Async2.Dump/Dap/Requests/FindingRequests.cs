using System.Text.Json;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Rendering.Text;
using Async2.Dump.Dap.Protocol;
using Async2.Dump.Dap.Session;

namespace Async2.Dump.Dap.Requests;

/// <summary>What is wrong, and what waits where, with places in source: for lists, problems and marks in an editor.</summary>
internal sealed class FindingRequests(DapSession session)
{
    // More marks than these help nobody.
    private const int MostPlaces = 5000;

    private (DapCapture Capture, Dictionary<(string Path, int Line), Place> Places)? _places;

    public IEnumerable<(string Command, DapHandler Handler)> All =>
    [
        ("async2/findings", Findings),
        ("async2/places", Places),
    ];

    private DapReply Findings(DapRequest request, CancellationToken cancellation)
    {
        DapCapture capture = session.Capture;
        return new DapReply(writer =>
        {
            writer.WriteStartArray("findings");
            foreach (Finding finding in capture.Snapshot.Findings)
                Write(writer, finding);
            writer.WriteEndArray();
            writer.WriteString("summary", new AnswerSummary(capture).Sentence);
            if (capture.Snapshot.Target.TakenAt is { } taken)
                writer.WriteString("takenAt", taken.UtcDateTime);
            writer.WriteBoolean("live", capture.Snapshot.Target.Kind == TargetKind.Process);
        });
    }

    private void Write(Utf8JsonWriter writer, Finding finding)
    {
        writer.WriteStartObject();
        writer.WriteString("id", finding.Id);
        writer.WriteString("key", DapText.Name(finding.Key));
        writer.WriteString("rule", DapText.Name(finding.Rule));
        writer.WriteString("severity", finding.Severity.ToString().ToLowerInvariant());
        writer.WriteString("confidence", finding.Confidence.ToString().ToLowerInvariant());
        writer.WriteString("text", DapText.Long(finding.Text));
        if (finding.Blocked > 0)
            writer.WriteNumber("blocked", finding.Blocked);
        if (finding.Next is { } next)
            writer.WriteString("next", DapText.Long(next));
        writer.WriteStartArray("stacks");
        foreach (string stack in finding.Stacks)
            writer.WriteStringValue(stack);
        writer.WriteEndArray();
        writer.WriteStartArray("steps");
        foreach (Evidence step in finding.Evidence.IsDefault ? [] : finding.Evidence)
            Write(writer, step);
        writer.WriteEndArray();
        writer.WriteEndObject();
    }

    private void Write(Utf8JsonWriter writer, Evidence step)
    {
        writer.WriteStartObject();
        writer.WriteString("text", DapText.Long(step.Text));
        if (step.Stack is { } stack)
            writer.WriteString("stack", stack);
        if (step.File is { } file && step.Line is { } line)
        {
            if (session.Sources!.PathOf(file) is { } path)
                writer.WriteString("path", path);
            writer.WriteNumber("line", session.Features.Line(line));
        }
        writer.WriteEndObject();
    }

    // How many stacks stand at each line of the user's, whether it is their innermost frame or not.
    private DapReply Places(DapRequest request, CancellationToken cancellation)
    {
        DapCapture capture = session.Capture;
        if (_places is not { } known || known.Capture != capture)
            _places = known = (capture, PlacesOf(capture));
        Dictionary<(string Path, int Line), Place> places = known.Places;
        return new DapReply(writer =>
        {
            writer.WriteStartArray("places");
            foreach (((string path, int line), Place place) in places.OrderByDescending(pair => pair.Value.Stacks).Take(MostPlaces))
            {
                writer.WriteStartObject();
                writer.WriteString("path", path);
                writer.WriteNumber("line", session.Features.Line(line));
                writer.WriteNumber("stacks", place.Stacks);
                writer.WriteString("stack", place.First.Id);
                if (place.OldestMs > 0)
                    writer.WriteString("oldest", AgeText.Duration(place.OldestMs));
                if (place.IsInnermost && place.First.WaitingOn is { } wait)
                    writer.WriteString("wait", DapText.Name(wait.Text));
                writer.WriteEndObject();
            }
            writer.WriteEndArray();
        });
    }

    private Dictionary<(string Path, int Line), Place> PlacesOf(DapCapture capture)
    {
        var places = new Dictionary<(string Path, int Line), Place>();
        foreach (LogicalStack stack in capture.Snapshot.Stacks.Where(stack => stack.State is not (StackState.Active or StackState.Completed)))
            Add(stack, places);
        return places;
    }

    private void Add(LogicalStack stack, Dictionary<(string Path, int Line), Place> places)
    {
        var seen = new HashSet<(string, int)>();
        bool isInnermost = true;
        for (int i = 0; i < stack.Frames.Count && seen.Count < MostPlaces; i++)
        {
            LogicalFrame frame = stack.Frames.WithoutAddress(i);
            if (frame.IsFramework || frame.File is not { } file || frame.Line is not { } line || session.Sources!.PathOf(file) is not { } path || !seen.Add((path, line)))
                continue;
            if (!places.TryGetValue((path, line), out Place? place))
                places[(path, line)] = place = new Place(stack);
            place.Stacks += stack.Count;
            place.OldestMs = Math.Max(place.OldestMs, stack.Age?.AtLeastMs ?? 0);
            place.IsInnermost |= isInnermost;
            isInnermost = false;
        }
    }

    private sealed class Place(LogicalStack first)
    {
        public LogicalStack First { get; } = first;

        public long Stacks { get; set; }

        public long OldestMs { get; set; }

        public bool IsInnermost { get; set; }
    }
}
