using Async2.Analysis.Targets.Memory;

namespace Async2.Tests.Targets;

/// <summary>Workers that ask the caller's thread, and get its answers and its errors.</summary>
public sealed class CallerThreadTests
{
    [Fact]
    public void Only_the_callers_thread_reads()
    {
        var caller = new CallerThread();
        int home = Environment.CurrentManagedThreadId, asked = 0, elsewhere = 0;
        Run(caller, workers: 4, () =>
        {
            for (int i = 0; i < 1000; i++)
            {
                caller.Ask(() =>
                {
                    asked++;
                    elsewhere += Environment.CurrentManagedThreadId == home ? 0 : 1;
                });
            }
        });
        Assert.Equal((4000, 0), (asked, elsewhere));
    }

    [Fact]
    public void An_error_belongs_to_who_asked()
    {
        var caller = new CallerThread();
        string? caught = null;
        Run(caller, workers: 1, () =>
        {
            try
            {
                caller.Ask(() => throw new InvalidOperationException("gone"));
            }
            catch (InvalidOperationException e)
            {
                caught = e.Message;
            }
            caller.Ask(() => caught += ", and on it goes");
        });
        Assert.Equal("gone, and on it goes", caught);
    }

    [Fact]
    public void The_caller_itself_does_not_wait()
    {
        bool done = false;
        new CallerThread().Ask(() => done = true);
        Assert.True(done);
    }

    private static void Run(CallerThread caller, int workers, Action work)
    {
        caller.Expect(workers);
        Thread[] threads = [.. Enumerable.Range(0, workers).Select(_ => new Thread(() =>
        {
            work();
            caller.Leave();
        }))];
        foreach (Thread thread in threads)
            thread.Start();
        caller.Serve();
        foreach (Thread thread in threads)
            thread.Join();
    }
}
