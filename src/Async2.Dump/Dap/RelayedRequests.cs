using Async2.Dump.Dap.Protocol;
using Async2.Dump.Dap.Session;
using Async2.Dump.Workers;

namespace Async2.Dump.Dap;

/// <summary>
/// Requests that the worker has not answered yet, and those that began the session. A dump has a size, so there is a time by which it has
/// to be read.
/// </summary>
internal sealed class RelayedRequests
{
    private readonly Lock _lock = new();
    private readonly Dictionary<int, DapRequest> _open = [];
    private readonly List<(DapRequest Request, byte[] Message)> _messages = [];

    /// <summary>The target; null until it is known.</summary>
    public string? Target { get; private set; }

    /// <summary>A dump was not read in time.</summary>
    public bool IsOverdue { get; private set; }

    /// <summary>A request is not answered.</summary>
    public bool Any
    {
        get
        {
            lock (_lock)
                return _open.Count > 0;
        }
    }

    /// <summary>Unanswered requests, in the order of their numbers.</summary>
    public DapRequest[] All
    {
        get
        {
            lock (_lock)
                return [.. _open.Values.OrderBy(request => request.Seq)];
        }
    }

    /// <summary>A request that reads the target has no answer.</summary>
    public bool AnyReading
    {
        get
        {
            lock (_lock)
                return _open.Values.Any(Reads);
        }
    }

    /// <summary>What a worker that takes the place of another one has to be sent: the beginning of the session and all that is open, in order.</summary>
    public byte[][] Repeated
    {
        get
        {
            lock (_lock)
                return [.. _messages.Select(message => message.Message)];
        }
    }

    /// <summary>Adds a request.</summary>
    /// <param name="request">The request.</param>
    /// <param name="message">The request as it came.</param>
    /// <param name="end">Called when it exceeds the time limit.</param>
    public void Add(DapRequest request, byte[] message, Action end)
    {
        lock (_lock)
        {
            _open[request.Seq] = request;
            _messages.Add((request, message));
        }
        if (request.Command is not ("launch" or "attach"))
            return;
        Target = LaunchArguments.TargetOf(request);
        if (request.Command == "launch" && Target is { } path && File.Exists(path))
            new Thread(() => EndInTime(request.Seq, WorkerFailure.TimeFor(path), end)) { IsBackground = true }.Start();
    }

    /// <summary>Removes an answered request; false if it was already removed.</summary>
    public bool Remove(int seq)
    {
        lock (_lock)
        {
            _messages.RemoveAll(message => message.Request.Seq == seq && !BeginsSession(message.Request));
            return _open.Remove(seq);
        }
    }

    /// <summary>Whether an open request reads the target.</summary>
    public bool IsReading(int seq)
    {
        lock (_lock)
            return _open.TryGetValue(seq, out DapRequest? request) && Reads(request);
    }

    private static bool BeginsSession(DapRequest request) => request.Command is "initialize" or "launch" or "attach" or "configurationDone";

    private static bool Reads(DapRequest request) => request.Command is "launch" or "attach" or "pause" or "async2/refresh";

    private void EndInTime(int seq, TimeSpan time, Action end)
    {
        Thread.Sleep(time);
        lock (_lock)
            IsOverdue = _open.ContainsKey(seq);
        if (IsOverdue)
            end();
    }
}
