namespace Situations;

/// <summary>Threads that block for what can only go on in their context, and others that do not have to.</summary>
public static class Contexts
{
    /// <summary>What is awaited is still pending; once it is done, it is posted to the thread that blocks.</summary>
    public static void StartPending(int count)
    {
        var context = new UiContext();
        context.Post(_ => DelayAsync().Wait(), null);
        context.StartThread();
        Thread.Sleep(300);
    }

    private static async Task DelayAsync()
    {
        await Task.Delay(TimeSpan.FromHours(1));
        GC.KeepAlive(typeof(Marks));
    }

    /// <summary>Only the outer of two methods goes back to the context.</summary>
    public static void StartOuter(int count)
    {
        var context = new UiContext();
        context.Post(_ => OuterAsync().Wait(), null);
        context.StartThread();
        Thread.Sleep(300);
    }

    private static async Task OuterAsync()
    {
        await Task.Run(() => Thread.Sleep(Timeout.Infinite));
        GC.KeepAlive(typeof(Marks));
    }

    /// <summary>Not a deadlock: the thread waits for a limited time.</summary>
    public static void StartLimited(int count)
    {
        var context = new UiContext();
        context.Post(_ => DelayAsync().Wait(TimeSpan.FromHours(2)), null);
        context.StartThread();
        Thread.Sleep(300);
    }

    /// <summary>Not a deadlock: the work was started without the context.</summary>
    public static void StartFree(int count)
    {
        var context = new UiContext();
        context.Post(_ => Task.Run(DelayAsync).Wait(), null);
        context.StartThread();
        Thread.Sleep(300);
    }

    /// <summary>Not a deadlock: an idle context, and a method that goes on there later.</summary>
    public static void StartIdle(int count)
    {
        var context = new UiContext();
        context.Post(_ => Marks.Keep(DelayAsync()), null);
        context.StartThread();
        Thread.Sleep(300);
    }
}
