// The user must see how many of several tasks have completed, and which kinds of tasks a race is between.
using Scenarios.Support;

namespace Scenarios.Waits;

[Scenario("WhenAll with some done, with and without results; WhenAny of a list and of a race with a timeout")]
public static class PartlyDone
{
    public static Task Run(Trail t) => Task.WhenAll(
        ResultsAsync(t.Fork("results"), new(), new()),
        PlainAsync(t.Fork("plain"), new(), new()),
        RaceAsync(t.Fork("race"), new()),
        ManyAsync(t.Fork("many"), [new(), new(), new()]));

    private static async Task<int> ResultsAsync(Trail t, TaskCompletionSource<int> bread, TaskCompletionSource<int> milk)
    {
        t.Rest("Task.WhenAll", () => { bread.SetResult(1); milk.SetResult(2); }, "Task.WhenAll, 1 of 3 done");
        t.At(); int[] all = await Task.WhenAll(bread.Task, Task.FromResult(1), milk.Task);
        return all[0];
    }

    private static async Task<int> PlainAsync(Trail t, TaskCompletionSource bread, TaskCompletionSource milk)
    {
        t.Rest("Task.WhenAll", () => { bread.SetResult(); milk.SetResult(); }, "Task.WhenAll, 2 pending");
        t.At(); await Task.WhenAll(bread.Task, Task.CompletedTask, milk.Task);
        return 1;
    }

    private static async Task<int> RaceAsync(Trail t, TaskCompletionSource<int> answer)
    {
        t.Rest("Task.WhenAny", () => answer.SetResult(1), "Task.WhenAny, first of 2: TaskCompletionSource<int>, Task.Delay");
        t.At(); Task first = await Task.WhenAny(answer.Task, Task.Delay(TimeSpan.FromHours(100)));
        return first.Id;
    }

    private static async Task<int> ManyAsync(Trail t, List<TaskCompletionSource> ways)
    {
        t.Rest("Task.WhenAny", ways[0].SetResult, "Task.WhenAny, first of 3: 3 x TaskCompletionSource");
        t.At(); Task first = await Task.WhenAny(ways.Select(w => w.Task).ToList());
        return first.Id;
    }
}
