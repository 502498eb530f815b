namespace Situations;

/// <summary>An async method that goes on when it is told to, beside two that wait for each other: for those who look twice.</summary>
public static class Moving
{
    private static readonly TaskCompletionSource Hall = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private static readonly TaskCompletionSource Garden = new();
    private static readonly ManualResetEventSlim Arrived = new();

    public static void Start(int count)
    {
        Cycles.StartPair(count);
        Marks.Keep(TravelAsync());
    }

    /// <summary>Has it go from the hall to the garden, and waits until it is there.</summary>
    public static string Move()
    {
        Hall.SetResult();
        Arrived.Wait();
        Thread.Sleep(300);
        return "moved";
    }

    private static async Task TravelAsync()
    {
        int luggage = 3;
        await HallAsync(luggage);
        await GardenAsync(luggage + 4);
        GC.KeepAlive(luggage);
    }

    private static async Task HallAsync(int lamps)
    {
        await Hall.Task.At("hall");
        GC.KeepAlive(lamps);
    }

    private static async Task GardenAsync(int roses)
    {
        Arrived.Set();
        await Garden.Task.At("garden");
        GC.KeepAlive(roses);
    }
}
