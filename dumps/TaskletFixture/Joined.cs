extern alias experiment;
using System.Runtime.CompilerServices;
using RuntimeHelpers = experiment::System.Runtime.CompilerServices.RuntimeHelpers;

namespace TaskletFixture;

/// <summary>Stacks of tasklets that await tasks, whatever makes them, and are awaited by other code.</summary>
internal static class Joined
{
    private static readonly SemaphoreSlim Door = new(0);
    private static Task<int>? shared;

    public static void Start(Truth truth)
    {
        truth.Kept.Add(RuntimeHelpers.Start(AwaitsTasklets, truth.Open("tasklets await tasklets")));
        truth.Kept.Add(ClassicAsync(truth.Open("classic awaits tasklets")));
        truth.Kept.Add(RuntimeHelpers.Start(AwaitsClassic, truth.Open("tasklets await classic")));
        truth.Kept.Add(RuntimeHelpers.Start(AwaitsSemaphore, truth.Open("tasklets await a semaphore")));
        truth.Kept.Add(RuntimeHelpers.Start(AwaitsDelay, truth.Open("tasklets await time")));
        truth.Kept.Add(RuntimeHelpers.Start(AwaitsShared, truth.Open("first of two", "second of two")));
        truth.Kept.Add(RuntimeHelpers.Start(AwaitsShared, truth.Open("second of two")));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int AwaitsTasklets(Trail t)
    {
        string label = Goods.Label(2);
        t.Local(label);
        Task<int> packing = RuntimeHelpers.Start(Shop.Pack, t.At());
        RuntimeHelpers.UnsafeAwaitAwaiterFromRuntimeAsync(t.Again(packing).GetAwaiter());
        Goods.Use(label);
        return 1;
    }

    private static async Task<int> ClassicAsync(Trail t)
    {
        int pieces = await RuntimeHelpers.Start(Shop.Pack, t.At("classic"));
        return pieces + 1;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int AwaitsClassic(Trail t)
    {
        Task<int> price = PriceAsync(t.At());
        RuntimeHelpers.AwaitAwaiterFromRuntimeAsync(t.Again(price).ConfigureAwait(false).GetAwaiter());
        Goods.Use(price);
        return 1;
    }

    private static async Task<int> PriceAsync(Trail t)
    {
        int price = await t.At("classic").Gate();
        return price + 1;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int AwaitsSemaphore(Trail t)
    {
        t.At().Rest("SemaphoreSlim");
        RuntimeHelpers.UnsafeAwaitAwaiterFromRuntimeAsync(t.Again(Door.WaitAsync()).GetAwaiter());
        Goods.Use(t);
        return 1;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int AwaitsDelay(Trail t)
    {
        t.At().Rest("Task.Delay");
        RuntimeHelpers.UnsafeAwaitAwaiterFromRuntimeAsync(t.Again(Task.Delay(Timeout.Infinite)).GetAwaiter());
        Goods.Use(t);
        return 1;
    }

    // What two await is shown with one of them; to a reader they are alike.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int AwaitsShared(Trail t)
    {
        if (shared is null)
            shared = RuntimeHelpers.Start(Shop.Pack, t.At());
        else
            t.At().Rest("shared");
        RuntimeHelpers.UnsafeAwaitAwaiterFromRuntimeAsync(t.Again(shared).GetAwaiter());
        Goods.Use(shared);
        return 1;
    }
}
