// The user must see the stack although its awaits captured a synchronisation context: the awaited task then holds a
// context continuation instead of the stack's own action.
using Scenarios.Support;

namespace Scenarios.Contexts;

[Scenario("awaits that captured a SynchronizationContext")]
public static class CapturedContext
{
    public static Task Run(Trail t)
    {
        SynchronizationContext? before = SynchronizationContext.Current;
        SynchronizationContext.SetSynchronizationContext(new CounterContext());
        try
        {
            return ServeAsync(t);
        }
        finally
        {
            SynchronizationContext.SetSynchronizationContext(before);
        }
    }

    private static async Task<int> ServeAsync(Trail t)
    {
        await t.At().Step;
        int coins = await PayAsync(t.At());
        return coins + 1;
    }

    private static async Task<int> PayAsync(Trail t)
    {
        await t.At().Gate;
        return 2;
    }

    // Runs everything on the pool, with itself as the current context.
    private sealed class CounterContext : SynchronizationContext
    {
        public override void Post(SendOrPostCallback call, object? state) => ThreadPool.QueueUserWorkItem(_ =>
        {
            SetSynchronizationContext(this);
            call(state);
            SetSynchronizationContext(null);
        });
    }
}
