using System.Collections.Concurrent;

namespace Situations;

/// <summary>A thread serves a window; others send it work and block until that is done. And a barrier that one of three has left for good.</summary>
#pragma warning disable CA1001 // They live as long as the process.
public sealed class Windows
{
    private readonly BlockingCollection<(Action Work, ManualResetEventSlim? Done)> _queue = [];
    private readonly object _model = new();
    private int _painted;

    /// <summary>Who sends has the lock that the work before its own needs.</summary>
    public static void StartInvoke(int count) => new Windows().Start(sendsInside: true);

    /// <summary>Healthy: who sends has let go of the lock; the window is at work that takes long.</summary>
    public static void StartAlike(int count) => new Windows().Start(sendsInside: false);

    /// <summary>One of three returns early: nobody will arrive any more.</summary>
    public static void StartGone(int count)
    {
        var round = new Barrier(3);
        Marks.Keep(round);
        for (int i = 0; i < 3; i++)
        {
            int number = i;
            Begin(() => Meet(round, number));
        }
        Thread.Sleep(300);
    }

    private void Start(bool sendsInside)
    {
        Marks.Keep(this);
        Begin(Serve);
        using var entered = new ManualResetEventSlim();
        Begin(() => Save(sendsInside, entered));
        entered.Wait();
        Begin(() => Send(sendsInside ? Paint : () => Thread.Sleep(TimeSpan.FromHours(1))));
        Thread.Sleep(500);
    }

    private void Save(bool sendsInside, ManualResetEventSlim entered)
    {
        lock (_model)
        {
            entered.Set();
            Thread.Sleep(200);
            if (sendsInside)
                Send(Paint);
        }
        Send(Paint);
    }

    private void Paint()
    {
        lock (_model)
            _painted++;
    }

    private void Serve()
    {
        foreach ((Action work, ManualResetEventSlim? done) in _queue.GetConsumingEnumerable())
        {
            work();
            done?.Set();
        }
    }

    private void Send(Action work)
    {
        using var done = new ManualResetEventSlim();
        _queue.Add((work, done));
        done.Wait();
    }

    private static void Meet(Barrier round, int number)
    {
        for (int i = 0; number < 2 || i < 3; i++)
            round.SignalAndWait();
    }

    private static void Begin(Action work) => new Thread(() => work()) { IsBackground = true }.Start();
}
