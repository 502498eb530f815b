// The user must see the method behind the delegate. The compiler only sees Invoke, so the callee's name in IL is no help.
using Scenarios.Support;

namespace Scenarios.Calls;

[Scenario("await of a delegate: method group, static method group, combined")]
public static class DelegateCall
{
    public static Task Run(Trail t)
    {
        // Of two combined delegates the first one's task is forgotten: a stack that nobody awaits.
        Func<Trail, Task<int>> combined = _ => GreetAsync(t.Fork("forgotten"));
        combined += new Clerk().ServeAsync;
        return Task.WhenAll(
            CallAsync(t.Fork("instance"), new Clerk().ServeAsync),
            CallAsync(t.Fork("static"), GreetAsync),
            CallAsync(t.Fork("combined"), combined));
    }

    private static async Task<int> CallAsync(Trail t, Func<Trail, Task<int>> work)
    {
        int done = await work(t.At());
        return done + 1;
    }

    private static async Task<int> GreetAsync(Trail t)
    {
        await t.At().Gate;
        return 1;
    }

    private sealed class Clerk
    {
        private int _served;

        public async Task<int> ServeAsync(Trail t)
        {
            await t.At().Gate;
            return ++_served;
        }
    }
}
