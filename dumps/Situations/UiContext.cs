using System.Collections.Concurrent;

namespace Situations;

/// <summary>As user interfaces have one: what is posted is run by the context's own threads, one after the other.</summary>
public sealed class UiContext : SynchronizationContext
{
    private readonly BlockingCollection<(SendOrPostCallback Callback, object? State)> _queue = [];

    public override void Post(SendOrPostCallback d, object? state) => _queue.Add((d, state));

    public void StartThread() => new Thread(Run) { IsBackground = true }.Start();

    private void Run()
    {
        SetSynchronizationContext(this);
        foreach ((SendOrPostCallback callback, object? state) in _queue.GetConsumingEnumerable())
            callback(state);
    }
}
