using Async2.Dump.Fleets.Wire;
using Google.Protobuf;

namespace Async2.Dump.Fleets;

/// <summary>
/// Sends to a collector on a thread of its own: no look waits for the network. Of metrics only the latest of each process are sent; log records wait until they are taken, up to a
/// number. What fails is tried again with the next look; what is refused for good is dropped, and counted.
/// </summary>
/// <param name="endpoint">Where to.</param>
internal sealed class OtlpSender(OtlpEndpoint endpoint) : IDisposable
{
    /// <summary>How many log records wait.</summary>
    public const int MostWaiting = 1000;

    // Collectors refuse requests above some MB; a record has at most some kB.
    private const int MostOfRequest = 200;

    private static readonly TimeSpan RequestLimit = TimeSpan.FromSeconds(10), EndLimit = TimeSpan.FromSeconds(5), LongestPause = TimeSpan.FromMinutes(5);

    private readonly Lock _gate = new();
    private readonly AutoResetEvent _wake = new(false);
    // By the process, not by its id: that may be another one's by now, and the end of the first is to be told, too.
    private readonly Dictionary<Resource, ResourceMetrics> _metrics = new(ReferenceEqualityComparer.Instance);
    private readonly Queue<Waiting> _records = [];
    private Thread? _thread;
    private long _numbers, _notBefore;
    private bool _isOver;

    /// <summary>Why the last attempt failed; null if it did not.</summary>
    public string? Failure { get; private set; }

    /// <summary>Why something was refused last, although the rest may have been taken.</summary>
    public string? Refusal { get; private set; }

    /// <summary>How many log records were dropped, because too many waited.</summary>
    public int Dropped { get; private set; }

    /// <summary>How many log records and numbers were refused.</summary>
    public long Refused { get; private set; }

    /// <summary>Nothing waits, and nothing was lost.</summary>
    public bool HasSentAll
    {
        get
        {
            lock (_gate)
                return _metrics.Count == 0 && _records.Count == 0 && Dropped == 0 && Refused == 0 && Failure is null;
        }
    }

    /// <summary>Takes what a look says; does not wait.</summary>
    /// <param name="pid">Of the process.</param>
    /// <param name="resource">What it is called.</param>
    /// <param name="metrics">Its numbers now.</param>
    /// <param name="records">What happened.</param>
    public void Take(int pid, Resource resource, IEnumerable<Metric> metrics, IEnumerable<LogRecord> records)
    {
        var now = new ResourceMetrics { Resource = resource, ScopeMetrics = { new ScopeMetrics { Scope = OtlpText.Scope, Metrics = { metrics } } } };
        lock (_gate)
            _metrics[resource] = now;
        Take(pid, resource, records);
    }

    /// <summary>Takes what happened between looks.</summary>
    /// <param name="pid">Of the process.</param>
    /// <param name="resource">What it is called.</param>
    /// <param name="records">What happened.</param>
    public void Take(int pid, Resource resource, IEnumerable<LogRecord> records)
    {
        lock (_gate)
        {
            foreach (LogRecord record in records)
                _records.Enqueue(new(_numbers++, pid, resource, record));
            for (; _records.Count > MostWaiting; Dropped++)
                _records.Dequeue();
            if (_thread is null)
                (_thread = new Thread(Run) { IsBackground = true, Name = "otlp" }).Start();
        }
        _wake.Set();
    }

    /// <summary>Sends what waits, for some seconds at most.</summary>
    public void Dispose()
    {
        if (_isOver)
            return;
        _isOver = true;
        _wake.Set();
        if (_thread?.Join(EndLimit) == false)
            Failure ??= "it did not answer in time";
    }

    private void Run()
    {
        while (true)
        {
            bool isLast = _isOver;
            if (isLast || Environment.TickCount64 >= _notBefore)
                Send();
            if (isLast)
                return;
            _wake.WaitOne();
        }
    }

    private void Send()
    {
        try
        {
            while (Waiters() is { Length: > 0 } records)
            {
                Post(endpoint.Logs, Logs(records), records.Length);
                lock (_gate)
                {
                    // Old ones may have been dropped meanwhile.
                    while (_records.TryPeek(out Waiting? first) && first.Number <= records[^1].Number)
                        _records.Dequeue();
                }
            }
            KeyValuePair<Resource, ResourceMetrics>[] metrics;
            lock (_gate)
                metrics = [.. _metrics];
            foreach ((Resource resource, ResourceMetrics process) in metrics)
            {
                Post(endpoint.Metrics, new ExportMetricsServiceRequest { ResourceMetrics = { process } }, process.ScopeMetrics.Sum(scope => scope.Metrics.Sum(metric => metric.Gauge.DataPoints.Count)));
                lock (_gate)
                {
                    // There may be newer ones.
                    if (ReferenceEquals(_metrics.GetValueOrDefault(resource), process))
                        _metrics.Remove(resource);
                }
            }
            lock (_gate)
                Failure = null;
        }
        catch (IOException e)
        {
            lock (_gate)
                Failure = e.Message;
        }
    }

    private Waiting[] Waiters()
    {
        lock (_gate)
            return [.. _records.Take(MostOfRequest)];
    }

    private static ExportLogsServiceRequest Logs(Waiting[] records)
    {
        var request = new ExportLogsServiceRequest();
        foreach (IGrouping<int, Waiting> process in records.GroupBy(record => record.Pid))
            request.ResourceLogs.Add(new ResourceLogs { Resource = process.First().Resource, ScopeLogs = { new ScopeLogs { Scope = OtlpText.Scope, LogRecords = { process.Select(record => record.Record) } } } });
        return request;
    }

    // Returns if there is nothing left to do about it.
    private void Post(Uri address, IMessage message, int parts)
    {
        using var limit = new CancellationTokenSource(RequestLimit);
        OtlpReply reply = OtlpReply.Of(HttpPost.SendAsync(address, endpoint.Headers, endpoint.Certificate, message.ToByteArray(), limit.Token).GetAwaiter().GetResult(), parts);
        _notBefore = Environment.TickCount64 + (long)(reply.RetryAfter is { } pause && pause < LongestPause ? pause : TimeSpan.Zero).TotalMilliseconds;
        if (reply.MayRepeat)
            throw new IOException(reply.Reason);
        lock (_gate)
            (Refusal, Refused) = (reply.Reason ?? Refusal, Refused + reply.Refused);
    }

    private sealed record Waiting(long Number, int Pid, Resource Resource, LogRecord Record);
}
