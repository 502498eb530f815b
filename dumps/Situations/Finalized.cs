using System.Runtime.CompilerServices;

namespace Situations;

/// <summary>A thread that waits until finalizers have run, and finalizers that wait.</summary>
public static class Finalized
{
    private static readonly object Register = new();

    /// <summary>A finalizer does not end.</summary>
    public static bool Blocks { get; private set; }

    /// <summary>It holds the lock that they want.</summary>
    public static void StartLocked(int count)
    {
        Drop(() => new Ticket(locks: true));
        new Thread(Clear) { IsBackground = true }.Start();
        Thread.Sleep(700);
    }

    /// <summary>They take long, and want no lock.</summary>
    public static void StartSlow(int count)
    {
        Drop(() => new Ticket(locks: false));
        new Thread(Clear) { IsBackground = true }.Start();
        Thread.Sleep(700);
    }

    /// <summary>One blocks its thread until an async method is done.</summary>
    public static void StartBlocking(int count)
    {
        Drop(() => new Session());
        GC.Collect();
        Thread.Sleep(700);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Drop(Func<object> make)
    {
        Blocks = true;
        for (int i = 0; i < 20; i++)
            GC.KeepAlive(make());
    }

    private static async Task CloseAsync()
    {
        await Task.Delay(Timeout.Infinite);
        GC.KeepAlive(Register);
    }

    private sealed class Session
    {
        ~Session() => CloseAsync().Wait();
    }

    private static void Clear()
    {
        lock (Register)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }
    }

    private sealed class Ticket(bool locks)
    {
        ~Ticket()
        {
            if (!locks)
                Thread.Sleep(Timeout.Infinite);
            lock (Register)
                GC.KeepAlive(this);
        }
    }
}
