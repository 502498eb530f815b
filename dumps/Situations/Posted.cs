namespace Situations;

/// <summary>Awaited tasks that have completed, while what would resume their method does not come to it.</summary>
public static class Posted
{
    private static readonly TaskCompletionSource<int> Answer = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>The thread of a context waits for a method that wants to go on there: the oldest deadlock of all.</summary>
    public static void StartContext(int count)
    {
        var context = new UiContext();
        context.Post(_ => GC.KeepAlive(LoadAsync().At("result").Result), null);
        context.StartThread();
        Thread.Sleep(500);
    }

    /// <summary>The thread of a context is busy with something else, which ends by itself one day.</summary>
    public static void StartBusy(int count)
    {
        var context = new UiContext();
        context.Post(_ => Marks.Keep(LoadAsync()), null);
        context.Post(_ => Thread.Sleep(Timeout.Infinite.At("busy")), null);
        context.StartThread();
        Thread.Sleep(500);
    }

    /// <summary>Two threads serve the context, and one of them is blocked: the other one goes on with everything.</summary>
    public static void StartShared(int count)
    {
        var context = new UiContext();
        context.Post(_ => GC.KeepAlive(PatientAsync().At("shared").Result), null);
        context.StartThread();
        context.StartThread();
        Thread.Sleep(500);
    }

    /// <summary>An exclusive scheduler: what it runs waits for what it should run.</summary>
    public static void StartScheduler(int count)
    {
        TaskScheduler scheduler = new ConcurrentExclusiveSchedulerPair().ExclusiveScheduler;
        Marks.Keep(Task.Factory.StartNew(() => LoadAsync().At("exclusive").Result, CancellationToken.None, TaskCreationOptions.None, scheduler));
        Thread.Sleep(500);
    }

    /// <summary>All workers of the pool sleep, and what is queued waits for one.</summary>
    public static void StartStarved(int count)
    {
        int workers = count == 0 ? 4 : count;
        ThreadPool.SetMinThreads(workers, 1);
        ThreadPool.SetMaxThreads(workers, 1);
        Marks.Keep(AskAsync());
        using var asleep = new CountdownEvent(workers);
        for (int i = 0; i < workers; i++)
            Marks.Keep(Task.Run(() => Sleep(asleep)));
        asleep.Wait();
        Answer.SetResult(7);
        Thread.Sleep(800);
    }

    private static void Sleep(CountdownEvent asleep)
    {
        asleep.Signal();
        Thread.Sleep(Timeout.Infinite.At("asleep"));
    }

    private static async Task<int> LoadAsync()
    {
        await Task.Delay(50).At("load");
        return 3;
    }

    private static async Task<int> PatientAsync()
    {
        await Task.Delay(50);
        await new TaskCompletionSource().Task.At("patient");
        return 3;
    }

    private static async Task<int> AskAsync()
    {
        int answer = await Answer.Task.At("ask");
        return answer + 1;
    }
}
