namespace Async2.Dump.Dap.Protocol;

/// <summary>Requests that are not answered yet, and how to cancel each.</summary>
internal sealed class PendingRequests
{
    private readonly Lock _lock = new();
    private readonly Dictionary<int, CancellationTokenSource> _requests = [];
    private bool _isClosed;

    /// <summary>Adds a request.</summary>
    /// <returns>Set when it is cancelled.</returns>
    public CancellationToken Add(int seq)
    {
        var source = new CancellationTokenSource();
        lock (_lock)
            _requests[seq] = source;
        return source.Token;
    }

    /// <summary>Removes an answered request.</summary>
    public void Remove(int seq)
    {
        lock (_lock)
            _requests.Remove(seq);
    }

    /// <summary>Cancels a request; does nothing if it is already answered.</summary>
    public void Cancel(int seq)
    {
        lock (_lock)
            _requests.GetValueOrDefault(seq)?.Cancel();
    }

    /// <summary>Cancels all requests.</summary>
    public void CancelAll()
    {
        lock (_lock)
        {
            foreach (CancellationTokenSource source in _requests.Values)
                source.Cancel();
        }
    }

    /// <summary>No more will be added; false if that was already set.</summary>
    public bool TryClose()
    {
        lock (_lock)
            return !_isClosed && (_isClosed = true);
    }
}
