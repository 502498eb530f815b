using System.Runtime.CompilerServices;

namespace Situations;

/// <summary>Async methods that execute: one that was resumed, one in its first synchronous part, one in a delegate of the pool.</summary>
public static class Running
{
    private static int waiting = 3;

    public static void Start(int count)
    {
        Marks.Keep(ResumedAsync());
        Marks.Keep(Task.Run(() => FreshAsync()));
        Marks.Keep(AwaitsDelegateAsync());
        while (Volatile.Read(ref waiting) > 0)
            Thread.Sleep(10);
        Thread.Sleep(200);
    }

    /// <summary>One that has never been suspended, and nothing else.</summary>
    public static void StartFresh(int count)
    {
        waiting = 1;
        Marks.Keep(Task.Run(() => FreshAsync()));
        while (Volatile.Read(ref waiting) > 0)
            Thread.Sleep(10);
        Thread.Sleep(200);
    }

    private static async Task ResumedAsync()
    {
        int value = await ComputeAsync().At("resumed");
        GC.KeepAlive(value);
    }

    private static async Task<int> ComputeAsync()
    {
        await Task.Delay(20);
        int value = Spin(Marks.Here("compute"));
        await Task.Yield();
        return value;
    }

    private static async Task FreshAsync()
    {
        int value = await StartAsync(Marks.Here("fresh"));
        GC.KeepAlive(value);
    }

    private static async Task<int> StartAsync(int caller)
    {
        int value = Spin(Marks.Here("start"));
        await Task.Yield();
        return value;
    }

    private static async Task AwaitsDelegateAsync()
    {
        Task<int> spinning = Task.Run(() =>
            Spin(Marks.Here("delegate")));
        int value = await spinning.At("awaitsDelegate");
        GC.KeepAlive(value);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int Spin(int mark)
    {
        Interlocked.Decrement(ref waiting);
        // In managed code only: threads in native code have a situation of their own.
        while (Volatile.Read(ref waiting) > -1)
        {
        }
        return mark;
    }
}
