namespace Situations;

/// <summary>An async method that blocks its thread at a lock which another async method holds.</summary>
public static class Locked
{
    private static readonly object Till = new();
    private static readonly ManualResetEventSlim Taken = new();
    private static readonly ManualResetEventSlim Never = new();

    public static void Start(int count)
    {
        Marks.Keep(HoldAsync());
        Taken.Wait();
        Marks.Keep(WantAsync());
        Thread.Sleep(500);
    }

    private static async Task HoldAsync()
    {
        await Task.Delay(5);
        lock (Till)
        {
            Taken.Set();
            Never.At("hold").Wait();
        }
    }

    private static async Task WantAsync()
    {
        await Task.Delay(5);
        lock (Till.At("want"))
        {
            GC.KeepAlive(Till);
        }
    }
}
