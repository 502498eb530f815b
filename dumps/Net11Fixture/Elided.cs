using Net11Fixture.Support;

namespace Net11Fixture;

/// <summary>Chains that lack a method: the JIT makes a tail await of <c>return await F()</c>, and inlines. IL proves that it was there.</summary>
public static class Elided
{
    public static void Start()
    {
        // In the middle: PackAsync is left out.
        Chain middle = Chain.Of(t => Shop.ServeAsync(t, 1));
        middle.Await(Truth.Keep(new TaskCompletionSource<int>()).Task);
        middle.Continuations[1].Next = middle.Continuations[3];
        middle.Record("in the middle");

        // The innermost: SendAsync is left out, and the runtime's own continuation follows its caller.
        Chain innermost = Chain.Of(t => Shop.ServeAsync(t, 2));
        innermost.Await(Truth.Keep(new TaskCompletionSource<int>()).Task).Next = innermost.Continuations[1];
        Truth.Add("innermost", innermost.Frames.Select((f, i) => i == 0 ? f with { Line = 0 } : f));
    }
}
