namespace Situations;

/// <summary>
/// Waits for tasks that were made and not started, for a promise or its own loop, and for the end of the timer's callback that waits. Their twins are started, or completed, by somebody who has what is needed.
/// </summary>
#pragma warning disable CA1001, CA2000 // They live as long as the process.
public static class Unstarted
{
    private static readonly TimeSpan Long = TimeSpan.FromHours(1);
    private static readonly List<Task> Planned = [];
    private static int steps;

    /// <summary>Of two parts one was forgotten; and a step that its maker alone has.</summary>
    public static void StartForgotten(int count)
    {
        Marks.Keep(WarmUpAsync(new Task(Step)));
        Marks.Keep(RunAsync(new Task<int>(Count)));
        Thread.Sleep(300);
    }

    /// <summary>Not wrong: somebody has the tasks and may start them, or has done so.</summary>
    public static void StartPlanned(int count)
    {
        Task part = new(Step), step = new Task<int>(Count);
        Planned.AddRange([part, step]);
        Marks.Keep(WarmUpAsync(part));
        Marks.Keep(RunAsync((Task<int>)step));
        var slow = new Task(() => Thread.Sleep(Long), TaskCreationOptions.LongRunning);
        Marks.Keep(WarmUpAsync(slow));
        slow.Start();
        Marks.Keep(WarmUpAsync(slow.ContinueWith(_ => Step(), TaskScheduler.Default)));
        Thread.Sleep(300);
    }

    /// <summary>A loop that stops itself waits for its own end, or for a promise that nobody else has.</summary>
    public static void StartStopped(int count)
    {
        var service = new Service(null);
        Marks.Keep(service);
        service.Start();
        Thread.Sleep(300);
    }

    /// <summary>Not wrong: somebody else has the promise.</summary>
    public static void StartStoppable(int count)
    {
        var ended = new TaskCompletionSource();
        Marks.Keep(ended);
        var service = new Service(ended);
        Marks.Keep(service);
        service.Start();
        Thread.Sleep(300);
    }

    /// <summary>A timer's callback disposes of the timer, and waits until no callback runs.</summary>
    public static void StartTicked(int count)
    {
        var probe = new Probe(TimeSpan.Zero);
        Marks.Keep(probe);
        probe.Start();
        Thread.Sleep(500);
    }

    /// <summary>Not a deadlock: another thread disposes of the timer, and its callback takes long.</summary>
    public static void StartTicking(int count)
    {
        var probe = new Probe(Long);
        Marks.Keep(probe);
        probe.Start();
        Thread.Sleep(200);
        new Thread(probe.Stop) { IsBackground = true }.Start();
        Thread.Sleep(300);
    }

    private static void Step() => steps++;

    private static int Count() => steps;

    private static async Task WarmUpAsync(Task part)
    {
        await Task.WhenAll(LoadAsync(), part).At("warm");
        steps++;
    }

    private static async Task RunAsync(Task<int> step)
    {
        int result = await step.At("run");
        steps += result;
    }

    private static async Task LoadAsync()
    {
        await Task.Delay(10);
        steps++;
    }

    private sealed class Service(TaskCompletionSource? ended)
    {
        private Task? _loop;

        public void Start() => _loop = LoopAsync();

        private async Task LoopAsync()
        {
            await Task.Delay(50);
            await StopAsync(ended ?? new TaskCompletionSource());
            steps++;
        }

        private async Task StopAsync(TaskCompletionSource end)
        {
            await Task.WhenAny(_loop!, end.Task).At("stop");
            steps++;
        }
    }

    private sealed class Probe(TimeSpan pause)
    {
        private Timer? _timer;

        public void Start() => _timer = new Timer(Tick, null, 50, Timeout.Infinite);

        public void Stop()
        {
            using var stopped = new ManualResetEvent(false);
            if (_timer!.Dispose(stopped))
                stopped.WaitOne();
            steps++;
        }

        private void Tick(object? state)
        {
            Thread.Sleep(pause);
            if (pause == TimeSpan.Zero)
                Stop();
        }
    }

    /// <summary>A thread that has the lock of the callback waits until no callback runs.</summary>
    public static void StartTickedLocked(int count)
    {
        var meter = new Meter();
        Marks.Keep(meter);
        new Thread(meter.Close) { IsBackground = true }.Start();
        Thread.Sleep(700);
    }

    private sealed class Meter
    {
        private readonly object _gate = new();
        private readonly Timer _timer;

        public Meter() => _timer = new Timer(Tick, null, 50, Timeout.Infinite);

        public void Close()
        {
            lock (_gate)
            {
                Thread.Sleep(250);
                using var stopped = new ManualResetEvent(false);
                if (_timer.Dispose(stopped))
                    stopped.WaitOne();
                steps++;
            }
        }

        private void Tick(object? state)
        {
            lock (_gate)
                steps++;
        }
    }
}
