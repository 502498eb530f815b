namespace Async2.Dump.Dap.Protocol;

/// <summary>Requests that are not answered yet, and how each is called off.</summary>
internal sealed class PendingRequests
{
    private readonly Lock _lock = new();
    private readonly Dictionary<int, CancellationTokenSource> _requests = [];
    private bool _isClosed;

    /// <summary>Notes a request.</summary>
    /// <returns>Set when it is called off.</returns>
    public CancellationToken Add(int seq)
    {
        var source = new CancellationTokenSource();
        lock (_lock)
            _requests[seq] = source;
        return source.Token;
    }

    /// <summary>A request is answered.</summary>
    public void Remove(int seq)
    {
        lock (_lock)
            _requests.Remove(seq);
    }

    /// <summary>Calls a request off; nothing happens when it is answered already.</summary>
    public void Cancel(int seq)
    {
        lock (_lock)
            _requests.GetValueOrDefault(seq)?.Cancel();
    }

    /// <summary>Calls all off.</summary>
    public void CancelAll()
    {
        lock (_lock)
        {
            foreach (CancellationTokenSource source in _requests.Values)
                source.Cancel();
        }
    }

    /// <summary>No more will come; false when that was known.</summary>
    public bool TryClose()
    {
        lock (_lock)
            return !_isClosed && (_isClosed = true);
    }
}
