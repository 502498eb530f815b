// The user must see that a task is a delegate on a thread, which one, and whether it runs; and what a ContinueWith waits for.
using Scenarios.Support;

namespace Scenarios.Waits;

[Scenario("Task.Run of a method that blocks, a task that nobody started, ContinueWith, WaitAsync with a timeout")]
public static class DelegateTasks
{
    public static Task Run(Trail t) => Task.WhenAll(
        BlockedAsync(t.Fork("blocked"), new ManualResetEventSlim()),
        ColdAsync(t.Fork("not started")),
        AfterAsync(t.Fork("continuation"), new()),
        PatientAsync(t.Fork("timeout"), new()));

    private static async Task<int> BlockedAsync(Trail t, ManualResetEventSlim bell)
    {
        Task<int> work = Task.Factory.StartNew(Knead, bell, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        SpinWait.SpinUntil(() => work.Status == TaskStatus.Running);
        // What is foretold of the task itself would be "Knead running"; a reader that joins its thread says what that blocks on.
        t.Rest("Task", bell.Set);
        t.At(); int loaves = await work;
        return loaves + 1;
    }

    private static int Knead(object? bell)
    {
        ((ManualResetEventSlim)bell!).Wait();
        return 20;
    }

    private static async Task<int> ColdAsync(Trail t)
    {
        var work = new Task<int>(Sift);
        t.Rest("Task", work.Start, "Sift not started");
        t.At(); int flour = await work;
        return flour + 1;
    }

    private static int Sift() => 3;

    private static async Task<int> AfterAsync(Trail t, TaskCompletionSource<int> dough)
    {
        t.Rest("Task.ContinueWith", () => dough.SetResult(1), "Task.ContinueWith, for TaskCompletionSource<int>");
        t.At(); int baked = await dough.Task.ContinueWith(d => d.Result + 1, TaskScheduler.Default);
        return baked + 1;
    }

    private static async Task<int> PatientAsync(Trail t, TaskCompletionSource<int> customer)
    {
        t.Rest("Task.WaitAsync", () => customer.SetResult(1), "Task.WaitAsync, for TaskCompletionSource<int>, timeout 4 d 4 h, due in {time}");
        t.At(); int coins = await customer.Task.WaitAsync(TimeSpan.FromHours(100));
        return coins + 1;
    }
}
