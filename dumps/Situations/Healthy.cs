using System.Net;
using System.Net.Sockets;

namespace Situations;

/// <summary>A program that is well: all that the runtime and its libraries need threads for is there, and one method waits for a guest.</summary>
public static class Healthy
{
    private static readonly TaskCompletionSource Asked = new();

    /// <summary>The thread pool was configured, and nothing was ever queued to it.</summary>
    public static void StartUnusedPool(int count)
    {
        ThreadPool.SetMinThreads(8, 8);
        Marks.Keep(WaitAsync());
    }

    private static async Task WaitAsync()
    {
        await Asked.Task;
        GC.KeepAlive(Asked);
    }

    public static void Start(int count)
    {
        ThreadPool.SetMinThreads(8, 8);
        Parallel.For(0, 64, _ => Thread.Sleep(5));
        Marks.Keep(new Timer(_ => { }, null, 0, 20));
        Marks.Keep(ThreadPool.RegisterWaitForSingleObject(new AutoResetEvent(false), (_, _) => { }, null, Timeout.Infinite, false));
        var watcher = new FileSystemWatcher(AppContext.BaseDirectory) { EnableRaisingEvents = true };
        Marks.Keep(watcher);
        var listener = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        listener.Listen();
        Marks.Keep(AcceptAsync(listener));
        GC.Collect();
        GC.WaitForPendingFinalizers();
        Thread.Sleep(300);
    }

    private static async Task AcceptAsync(Socket listener)
    {
        Socket guest = await listener.AcceptAsync().At("accept");
        GC.KeepAlive(guest);
    }
}
