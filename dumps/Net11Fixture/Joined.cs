using System.Runtime.CompilerServices;
using Net11Fixture.Support;

namespace Net11Fixture;

/// <summary>Chains that wait for one another, and classic methods above and below them.</summary>
public static class Joined
{
    public static void Start()
    {
        ChainOfChain();
        ClassicAboveAndBelow();
        OfAll();
    }

    private static void ChainOfChain()
    {
        Chain outer = Chain.Of(t => Shop.ServeAsync(t, 1)), inner = Chain.Of(t => Shop.SendAsync(t, 2));
        outer.Await(inner.Task);
        inner.Await(Truth.Keep(new TaskCompletionSource<int>()).Task);
        inner.Record("chain of chain", outer.Frames);
    }

    private static void ClassicAboveAndBelow()
    {
        Trail above = new(), below = new();
        Chain middle = Chain.Of(t => Shop.ServeAsync(t, 3));
        middle.Await(FetchAsync(below, Truth.Keep(new TaskCompletionSource<int>()).Task));
        Truth.Keep(OrderAsync(above, middle.Task));
        Truth.Add("classic, chain, classic", [.. below.Frames, .. middle.Frames, .. above.Frames]);
    }

    private static void OfAll()
    {
        Chain part = Chain.Of(t => Shop.SendAsync(t, 4)), whole = Chain.Of(t => Shop.ServeAsync(t, 5));
        part.Await(Truth.Keep(new TaskCompletionSource<int>()).Task);
        whole.Await(Task.WhenAll(TaskOf(part), Truth.Keep(new TaskCompletionSource<int>()).Task));
        part.Record("part of all");
        whole.Record("all");
    }

    // Task.WhenAll registers itself as the classic methods do; so does who awaits this.
    private static Task<int> TaskOf(Chain chain) => chain.Task;

    [RuntimeAsyncMethodGeneration(false)]
    private static async Task<int> OrderAsync(Trail t, Task<int> chain)
    {
        int value = await chain.Here(t);
        return value + 1;
    }

    [RuntimeAsyncMethodGeneration(false)]
    private static async Task<int> FetchAsync(Trail t, Task<int> gate)
    {
        int value = await gate.Here(t);
        return value + 1;
    }

    private static T Here<T>(this T value, Trail t, [CallerMemberName] string member = "", [CallerFilePath] string file = "", [CallerLineNumber] int line = 0)
    {
        t.At(null, member, file, line);
        return value;
    }
}
