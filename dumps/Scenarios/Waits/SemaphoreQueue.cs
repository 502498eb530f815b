// The user must see how many wait at a semaphore, who is where in the queue, and who would give up when.
using Scenarios.Support;

namespace Scenarios.Waits;

[Scenario("SemaphoreSlim with a maximum: three in the queue, one of them with a token")]
public static class SemaphoreQueue
{
    private const string State = "SemaphoreSlim, 0 of 5 free, 3 waiting, ";

    public static Task Run(Trail t)
    {
        var ovens = new SemaphoreSlim(0, 5);
        var closing = new CancellationTokenSource();
        return Task.WhenAll(
            EnterAsync(t.Fork("first"), ovens),
            EnterUntilAsync(t.Fork("second"), ovens, closing),
            EnterAsync(t.Fork("third"), ovens, "3rd in the queue"));
    }

    private static async Task<int> EnterAsync(Trail t, SemaphoreSlim ovens, string place = "1st in the queue")
    {
        t.Rest("SemaphoreSlim.WaitAsync", () => ovens.Release(), State + place);
        t.At(); await ovens.WaitAsync();
        return ovens.CurrentCount;
    }

    private static async Task<int> EnterUntilAsync(Trail t, SemaphoreSlim ovens, CancellationTokenSource closing)
    {
        t.Rest("SemaphoreSlim.WaitAsync", () => ovens.Release(), State + "token not cancelled, 2nd in the queue");
        t.At(); await ovens.WaitAsync(closing.Token);
        GC.KeepAlive(closing);
        return ovens.CurrentCount;
    }
}
