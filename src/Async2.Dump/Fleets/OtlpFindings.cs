using Async2.Analysis.Model;
using Async2.Analysis.Rendering.Text;
using Async2.Analysis.Watching;
using Async2.Dump.Fleets.Wire;

namespace Async2.Dump.Fleets;

/// <summary>Findings of one process over its looks, as log records: one when a finding begins, one when no look had it for a minute.</summary>
internal sealed class OtlpFindings
{
    private const long QuietMs = 60_000;

    // Of the logs data model: the first of each range.
    private const int Information = 9, Warning = 13, Failure = 17;

    private readonly Dictionary<string, Open> _open = new(StringComparer.Ordinal);

    /// <summary>What has begun with a look, and what has ended.</summary>
    public IEnumerable<LogRecord> Of(WatchLook look)
    {
        DateTimeOffset now = look.Model.Target.TakenAt ?? DateTimeOffset.UnixEpoch;
        foreach (WatchFinding finding in look.Findings)
        {
            if (!_open.TryGetValue(finding.Finding.Key, out Open? known))
            {
                _open[finding.Finding.Key] = known = new(finding.Finding, look.Moment);
                yield return Began(finding.Finding, now);
            }
            (known.Last, known.LastSeen) = (look.Moment, now);
        }
        foreach ((string key, Open open) in _open.Where(finding => look.Moment - finding.Value.Last > QuietMs).ToArray())
        {
            _open.Remove(key);
            yield return Ended(open);
        }
    }

    /// <summary>What ends because the process does.</summary>
    public IEnumerable<LogRecord> OfEnd() => _open.Values.Select(Ended);

    /// <summary>Something that was said to the user, such as the name of a snapshot that was saved.</summary>
    public static LogRecord Said(string sentence, DateTimeOffset now) => Record("async2.note", Information, sentence, now);

    private static LogRecord Began(Finding finding, DateTimeOffset now)
    {
        LogRecord record = Record("async2.finding.began", SeverityOf(finding.Severity), $"{finding.Rule}: {finding.Text}", now);
        Describe(record, finding);
        if (finding.Blocked > 0)
            record.Attributes.Add(OtlpText.Of("async2.finding.blocked", finding.Blocked));
        OtlpText.Add(record.Attributes, "async2.finding.next", finding.Next);
        if (finding.Evidence.FirstOrDefault(evidence => evidence.File is not null || evidence.Method is not null) is { } place)
        {
            OtlpText.Add(record.Attributes, "code.function.name", place.Method);
            OtlpText.Add(record.Attributes, "code.file.path", place.File);
            if (place.Line is { } line)
                record.Attributes.Add(OtlpText.Of("code.line.number", line));
        }
        return record;
    }

    private static LogRecord Ended(Open open)
    {
        LogRecord record = Record("async2.finding.ended", Information, $"{open.Finding.Rule} has ended after {DisplayText.Duration(open.Last - open.Began)}: {open.Finding.Text}", open.LastSeen);
        Describe(record, open.Finding);
        record.Attributes.Add(OtlpText.Of("async2.finding.duration_ms", open.Last - open.Began));
        return record;
    }

    private static void Describe(LogRecord record, Finding finding)
    {
        OtlpText.Add(record.Attributes, "async2.finding.rule", finding.Rule);
        OtlpText.Add(record.Attributes, "async2.finding.severity", DisplayText.Of(finding.Severity));
        OtlpText.Add(record.Attributes, "async2.finding.confidence", DisplayText.Of(finding.Confidence));
        OtlpText.Add(record.Attributes, "async2.finding.key", finding.Key);
    }

    private static LogRecord Record(string name, int severity, string text, DateTimeOffset time) => new()
    {
        EventName = name,
        TimeUnixNano = OtlpText.Nanoseconds(time),
        ObservedTimeUnixNano = OtlpText.Nanoseconds(time),
        SeverityNumber = severity,
        SeverityText = severity switch { Failure => "ERROR", Warning => "WARN", _ => "INFO" },
        Body = new AnyValue { StringValue = OtlpText.Safe(text, OtlpText.LongestBody) },
    };

    private static int SeverityOf(Severity severity) => severity switch
    {
        Severity.Error => Failure,
        Severity.Warning => Warning,
        _ => Information,
    };

    private sealed record Open(Finding Finding, long Began)
    {
        public long Last { get; set; }

        public DateTimeOffset LastSeen { get; set; }
    }
}
