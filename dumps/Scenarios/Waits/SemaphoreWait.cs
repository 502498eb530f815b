// The user must see that the innermost frame waits for a semaphore, once plainly and once with a timeout (which puts a
// state machine of the framework in between).
using Scenarios.Support;

namespace Scenarios.Waits;

[Scenario("SemaphoreSlim.WaitAsync, without and with a timeout")]
public static class SemaphoreWait
{
    public static Task Run(Trail t) => Task.WhenAll(
        EnterAsync(t.Fork("plain")),
        EnterWithTimeoutAsync(t.Fork("timeout")));

    private static async Task<int> EnterAsync(Trail t)
    {
        var door = new SemaphoreSlim(0);
        t.Rest("SemaphoreSlim.WaitAsync", () => door.Release(), "SemaphoreSlim, 0 free, 1 waiting");
        t.At(); await door.WaitAsync();
        return door.CurrentCount;
    }

    private static async Task<int> EnterWithTimeoutAsync(Trail t)
    {
        var door = new SemaphoreSlim(0);
        t.Rest("SemaphoreSlim.WaitAsync", () => door.Release(), "SemaphoreSlim, 0 free, 1 waiting, timeout 4 d 4 h, due in {time}");
        t.At(); bool isIn = await door.WaitAsync(TimeSpan.FromHours(100));
        return isIn ? door.CurrentCount : -1;
    }
}
