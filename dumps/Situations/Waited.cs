namespace Situations;

/// <summary>Threads that wait for async methods in the older ways: for all of several, and by the event of a task.</summary>
public static class Waited
{
    private static readonly TaskCompletionSource Never = new();

    public static void Start(int count)
    {
        new Thread(WaitForAll) { IsBackground = true }.Start();
        new Thread(WaitForHandle) { IsBackground = true }.Start();
        Thread.Sleep(500);
    }

    private static void WaitForAll()
    {
        Task[] both = [PickAsync(), PackAsync()];
        Task.WaitAll(both.At("all"));
        GC.KeepAlive(both);
    }

    private static void WaitForHandle()
    {
        IAsyncResult sent = SendAsync();
        sent.AsyncWaitHandle.At("handle").WaitOne();
        GC.KeepAlive(sent);
    }

    private static async Task PickAsync()
    {
        await Never.Task.At("pick");
        GC.KeepAlive(Never);
    }

    private static async Task PackAsync()
    {
        await Never.Task.At("pack");
        GC.KeepAlive(Never);
    }

    private static async Task SendAsync()
    {
        await Never.Task.At("send");
        GC.KeepAlive(Never);
    }
}
