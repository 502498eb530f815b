namespace Situations;

/// <summary>Threads that wait for async work: some block others by it, and some do not.</summary>
public static class Blockers
{
    private static readonly TaskCompletionSource<int> Answer = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private static readonly ManualResetEventSlim Never = new();

    /// <summary>The thread of a user interface waits for work that does not need it.</summary>
    public static void StartInterface(int count)
    {
        var context = new UiContext();
        context.Post(_ => GC.KeepAlive(Task.Run(PatientAsync).At("interface").Result), null);
        context.StartThread();
        Thread.Sleep(500);
    }

    /// <summary>The main thread waits for the program's work, as every console program does.</summary>
    public static void StartMain(int count)
    {
        var serving = new Thread(() =>
        {
            Thread.Sleep(500);
            Program.Serve();
        });
        serving.Start();
        PatientAsync().At("main").Wait();
    }

    /// <summary>A thread of its own waits for async work: nobody else needs it.</summary>
    public static void StartOwnThread(int count)
    {
        Marks.Keep(Task.Factory.StartNew(() => PatientAsync().At("own").Result, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default));
        Thread.Sleep(500);
    }

    /// <summary>A parallel loop on a worker waits for its parts, which run: no async operation is waited for.</summary>
    public static void StartLoop(int count)
    {
        ThreadPool.SetMinThreads(24, 4);
        Marks.Keep(Task.Run(() => Parallel.For(0, 8, new ParallelOptions { MaxDegreeOfParallelism = 4 }, _ => Never.At("loop").Wait())));
        Thread.Sleep(1000);
    }

    private static async Task<int> PatientAsync()
    {
        int answer = await Answer.Task.At("patient");
        return answer + 1;
    }
}
