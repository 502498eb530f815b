using System.Collections.Concurrent;
using System.Runtime.CompilerServices;

namespace Situations;

/// <summary>Threads that send something to the thread of a user interface, and wait until it has run there, while that thread waits for them; or for something else.</summary>
public static class Sent
{
    /// <summary>The thread joins one that sends.</summary>
    public static void StartJoined(int count)
    {
        Start(context => Join(NewThread(context)));
        Thread.Sleep(300);
    }

    /// <summary>It waits for a task that does.</summary>
    public static void StartAwaited(int count)
    {
        Start(context => Task.Run(() => Report(context)).Wait());
        Thread.Sleep(300);
    }

    /// <summary>Not a deadlock: the thread joins for a limited time, or has something else to do.</summary>
    public static void StartFree(int count)
    {
        Start(context => NewThread(context).Join(TimeSpan.FromHours(1)));
        Start(context =>
        {
            NewThread(context);
            Thread.Sleep(TimeSpan.FromHours(1));
        });
        Thread.Sleep(300);
    }

    private static void Start(Action<Window> begin)
    {
        var context = new Window();
        Marks.Keep(context);
        context.Post(_ => begin(context), null);
        new Thread(context.Pump) { IsBackground = true }.Start();
    }

    private static Thread NewThread(Window context)
    {
        var thread = new Thread(() => Report(context)) { IsBackground = true };
        thread.Start();
        return thread;
    }

    // Optimised code would have no frame of it.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Join(Thread thread) => thread.Join();

    private static void Report(Window context) => context.Send(_ => Marks.Keep(context), null);

    private sealed class Window : SynchronizationContext
    {
        private readonly BlockingCollection<Action> _messages = [];

        public override void Post(SendOrPostCallback d, object? state) => _messages.Add(() => d(state));

        public override void Send(SendOrPostCallback d, object? state)
        {
            using var done = new ManualResetEventSlim();
            _messages.Add(() =>
            {
                d(state);
                done.Set();
            });
            done.Wait();
        }

        public void Pump()
        {
            SetSynchronizationContext(this);
            foreach (Action message in _messages.GetConsumingEnumerable())
                message();
        }
    }
}
