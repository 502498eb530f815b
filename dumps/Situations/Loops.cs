using System.Collections.Concurrent;
using System.Runtime.CompilerServices;

namespace Situations;

/// <summary>Threads that run what is posted to them: one is joined by what runs on it, and one has ended before all was done. In the twins the thread is busy, or looks at its queue once in a while.</summary>
#pragma warning disable CA1001 // They live as long as the process.
public sealed class Loops : SynchronizationContext
{
    private readonly ConcurrentQueue<(SendOrPostCallback Callback, object? State)> _posted = [];
    private readonly BlockingCollection<Action> _work = [];
    private readonly TaskCompletionSource _asked = new(), _first = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly Thread _thread;

    private Loops(Action<Loops> run) => _thread = new Thread(() => run(this)) { IsBackground = true };

    public override void Post(SendOrPostCallback d, object? state) => _posted.Enqueue((d, state));

    /// <summary>A continuation runs on the thread that has completed a promise, and waits for the end of that thread.</summary>
    public static void StartOwn(int count)
    {
        var loop = new Loops(loop => loop.Work());
        loop.Begin(loop.ImportAsync());
        loop._work.Add(() => loop._asked.SetResult());
        Thread.Sleep(500);
    }

    /// <summary>What is posted to a loop that has ended.</summary>
    public static void StartEnded(int count)
    {
        var loop = new Loops(loop => loop.Close());
        loop.Begin(loop._first.Task);
        loop._thread.Join();
        loop._asked.SetResult();
        Thread.Sleep(300);
    }

    /// <summary>Healthy: one handles something that takes long, the other comes back to its queue.</summary>
    public static void StartServed(int count)
    {
        foreach (Action<Loops> run in (Action<Loops>[])[loop => loop.Handle(), loop => loop.Poll()])
        {
            var loop = new Loops(run);
            loop.Begin(loop._first.Task);
            loop._first.Task.Wait();
            loop._asked.SetResult();
        }
        Thread.Sleep(300);
    }

    private void Begin(Task kept)
    {
        Marks.Keep(this);
        Marks.Keep(kept);
        _thread.Start();
    }

    private void Work()
    {
        foreach (Action action in _work.GetConsumingEnumerable())
            action();
    }

    private async Task ImportAsync()
    {
        await _asked.Task.ConfigureAwait(false);
        Stop();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Stop()
    {
        _work.CompleteAdding();
        _thread.Join();
    }

    private void Close()
    {
        SetSynchronizationContext(this);
        Marks.Keep(SaveAsync());
        SetSynchronizationContext(null);
    }

    private void Handle()
    {
        SetSynchronizationContext(this);
        Marks.Keep(SaveAsync());
        _first.SetResult();
        Thread.Sleep(TimeSpan.FromHours(1));
        GC.KeepAlive(this);
    }

    private void Poll()
    {
        SetSynchronizationContext(this);
        Marks.Keep(SaveAsync());
        SetSynchronizationContext(null);
        _first.SetResult();
        while (true)
        {
            Thread.Sleep(TimeSpan.FromHours(1));
            while (_posted.TryDequeue(out (SendOrPostCallback Callback, object? State) item))
                item.Callback(item.State);
        }
    }

    private async Task SaveAsync()
    {
        await _asked.Task;
        _first.TrySetResult();
    }
}
