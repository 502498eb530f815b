// The user must see that the frame waits until a token is cancelled: through WaitAsync, and through a delay that only the
// linked token can end.
using Scenarios.Support;

namespace Scenarios.Waits;

[Scenario("WaitAsync and Task.Delay with a linked cancellation token")]
public static class CancellableWait
{
    public static Task Run(Trail t) => Task.WhenAll(
        WaitAsync(t.Fork("WaitAsync"), new CancellationTokenSource()),
        SleepAsync(t.Fork("delay"), new CancellationTokenSource()));

    private static async Task<int> WaitAsync(Trail t, CancellationTokenSource closing)
    {
        using var either = CancellationTokenSource.CreateLinkedTokenSource(closing.Token, CancellationToken.None);
        var customer = new TaskCompletionSource<int>();
        t.Rest("Task.WaitAsync", closing.Cancel, "Task.WaitAsync, for TaskCompletionSource<int>, token not cancelled");
        try
        {
            t.At(); int coins = await customer.Task.WaitAsync(either.Token);
            return coins;
        }
        catch (OperationCanceledException)
        {
            return 0;
        }
    }

    private static async Task<int> SleepAsync(Trail t, CancellationTokenSource closing)
    {
        using var either = CancellationTokenSource.CreateLinkedTokenSource(closing.Token, CancellationToken.None);
        t.Rest("Task.Delay", closing.Cancel, "Task.Delay, infinite, token not cancelled");
        try
        {
            t.At(); await Task.Delay(Timeout.Infinite, either.Token);
        }
        catch (TaskCanceledException)
        {
            GC.KeepAlive(closing);
        }
        return 1;
    }
}
