// The user must see how long a timer is, when it is due, and that a token could end the wait before.
using Scenarios.Support;

namespace Scenarios.Waits;

[Scenario("Task.Delay of 100 hours, with a token, with a token that has a timeout")]
public static class Timers
{
    private static readonly TimeSpan Long = TimeSpan.FromHours(100);

    public static Task Run(Trail t) => Task.WhenAll(
        SleepAsync(t.Fork("plain"), new()),
        SleepUntilAsync(t.Fork("token"), new(), "Task.Delay, 4 d 4 h, due in {time}, token not cancelled"),
        SleepUntilAsync(t.Fork("token with timeout"), new(TimeSpan.FromHours(50)),
            "Task.Delay, 4 d 4 h, due in {time}, token not cancelled, its timeout due in {time}"));

    private static async Task<int> SleepAsync(Trail t, CancellationTokenSource closing)
    {
        Task night = Task.Delay(t.IsFinal ? Long : TimeSpan.FromMilliseconds(1));
        t.Rest("Task.Delay", wait: "Task.Delay, 4 d 4 h, due in {time}");
        t.At(); await night;
        GC.KeepAlive(closing);
        return 1;
    }

    private static async Task<int> SleepUntilAsync(Trail t, CancellationTokenSource closing, string wait)
    {
        t.Rest("Task.Delay", closing.Cancel, wait);
        try
        {
            t.At(); await Task.Delay(Long, closing.Token);
        }
        catch (TaskCanceledException)
        {
            GC.KeepAlive(closing);
        }
        return 1;
    }
}
