namespace Situations;

/// <summary>Methods that wait for each other.</summary>
public static class Cycles
{
    private static Task? first;
    private static Task? second;

    public static void StartPair(int count)
    {
        first = ShipAsync();
        second = PayAsync();
        Thread.Sleep(300);
    }

    private static async Task ShipAsync()
    {
        await Task.Delay(50);
        await second!.At("ship");
        GC.KeepAlive(first);
    }

    private static async Task PayAsync()
    {
        await Task.Delay(50);
        await first!.At("pay");
        GC.KeepAlive(second);
    }

    /// <summary>The same through WhenAll.</summary>
    public static void StartCombinatorCycle(int count)
    {
        first = CollectAsync();
        second = ConfirmAsync();
        Thread.Sleep(300);
    }

    private static async Task CollectAsync()
    {
        await Task.Delay(50);
        await Task.WhenAll(new TaskCompletionSource().Task, second!).At("collect");
        GC.KeepAlive(first);
    }

    private static async Task ConfirmAsync()
    {
        await Task.Delay(50);
        await first!.At("confirm");
        GC.KeepAlive(second);
    }
}
