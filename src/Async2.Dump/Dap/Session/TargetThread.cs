using System.Collections.Concurrent;

namespace Async2.Dump.Dap.Session;

/// <summary>
/// The one thread that opens, reads and closes targets, in the order of the requests: the kernel ties a stopped process
/// to the thread that stopped it.
/// </summary>
internal sealed class TargetThread
{
    private readonly BlockingCollection<Action> _work = [];
    private readonly Thread _thread;

    public TargetThread()
    {
        // A background thread: it may be in native code that never returns, and the process must be able to end.
        _thread = new Thread(Run) { IsBackground = true, Name = "target" };
        _thread.Start();
    }

    /// <summary>Queues work after all earlier work.</summary>
    public void Do(Action work) => _work.Add(work);

    /// <summary>Waits until all work is done.</summary>
    /// <returns>False if that takes too long.</returns>
    public bool Finish(TimeSpan timeout)
    {
        _work.CompleteAdding();
        return _thread.Join(timeout);
    }

    private void Run()
    {
        foreach (Action work in _work.GetConsumingEnumerable())
            work();
    }
}
