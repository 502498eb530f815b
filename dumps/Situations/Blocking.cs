using System.Collections.Concurrent;
using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using System.Runtime.CompilerServices;

namespace Situations;

/// <summary>Threads without any async work, each blocked in another way. Each records its name, its line and what it waits for.</summary>
public static class Blocking
{
    private static readonly object Till = new();
    private static readonly object Bench = new();
    private static readonly Lock Oven = new();
    private static readonly ReaderWriterLockSlim Book = new();
    private static readonly ReaderWriterLockSlim Menu = new();
    private static readonly SemaphoreSlim Seats = new(0);
    private static readonly ManualResetEventSlim Bell = new();
    private static readonly ManualResetEventSlim Closing = new();
    private static readonly Mutex Key = new();
    private static readonly AutoResetEvent Gong = new(false);
    private static readonly CountdownEvent Guests = new(3);
    private static readonly Barrier Toast = new(2);
    private static readonly BlockingCollection<int> Orders = new(5);
    private static readonly TaskCompletionSource Delivery = new();
    private static readonly Lazy<int> Bill = new(Sum);
    private static CancellationTokenRegistration _callback;

    /// <summary>Each kind of wait once.</summary>
    public static void Start(int count)
    {
        Blocked.Run("holder", Hold);
        Blocked.Run("reader", ReadMenu);
        Blocked.Run("factory", () => Blocked.Use(Bill.Value));
        Blocked.Run("caller", CallBack);
        Blocked.Run("maker", () => Blocked.Use(Kitchen.Stove));
        foreach ((string name, Action wait) in Waits)
            Blocked.Run(name, wait);
        Natives.Compute();
        Blocked.WaitForAll();
    }

    private static (string Name, Action Wait)[] Waits =>
    [
        ("monitor", () => { Blocked.At("Monitor.Enter, Blocking.Till, object 0x{address} (object), held by thread {holder}", "holder"); lock (Till) Blocked.Use(0); }),
        ("lock", () => { Blocked.At("Lock, Blocking.Oven, held by thread {holder}, 1 waiting", "holder"); lock (Oven) Blocked.Use(0); }),
        ("write", () => { Blocked.At("ReaderWriterLockSlim, Blocking.Book, held for writing by thread {holder}, 1 writer and 0 readers waiting", "holder"); Book.EnterWriteLock(); }),
        ("menu", () => { Blocked.At("ReaderWriterLockSlim, Blocking.Menu, held by 1 reader: thread {holder}, 1 writer and 0 readers waiting", "reader"); Menu.EnterWriteLock(); }),
        ("lazy", () => { Blocked.At("Lazy<int>, Blocking.Bill, made by thread {holder}", "factory"); Blocked.Use(Bill.Value); }),
        ("initializer", () => { Blocked.At("class initializer of Situations.Kitchen, run by thread {holder}", "maker"); Blocked.Use(Kitchen.Stove); }),
        ("join", () => { Blocked.At("Thread.Join, for thread {holder}", "holder"); Blocked.Of("holder").Join(); }),
        ("semaphore", () => { Blocked.At("SemaphoreSlim, Blocking.Seats, 0 free, 1 waiting"); Seats.Wait(); }),
        ("event", () => { Blocked.At("ManualResetEventSlim, Blocking.Bell, not set, 1 waiting"); Bell.Wait(); }),
        ("gong", () => { Blocked.At("AutoResetEvent, Blocking.Gong"); Gong.WaitOne(); }),
        ("countdown", () => { Blocked.At("CountdownEvent, Blocking.Guests, 3 of 3 missing"); Guests.Wait(); }),
        ("barrier", () => { Blocked.At("Barrier, Blocking.Toast, 1 of 2 arrived, phase 0"); Toast.SignalAndWait(); }),
        ("collection", () => { Blocked.At("BlockingCollection, Blocking.Orders, 0 of 5 items"); Orders.Take(); }),
        ("pulse", () => { lock (Bench) { Blocked.At("Monitor.Wait, Blocking.Bench, object 0x{address} (object), waiting for a pulse"); Monitor.Wait(Bench); } }),
        ("sleep", () => { Blocked.At("Thread.Sleep"); Thread.Sleep(Timeout.Infinite); }),
        ("receive", () => { using Socket quiet = Pair(); Blocked.At("Socket.Receive, from 127.0.0.1:{number}"); quiet.Receive(new byte[8]); }),
        ("receiveBound", () => { using Socket quiet = Pair(isBound: true); Blocked.At("Socket.Receive"); quiet.Receive(new byte[8]); }),
        ("connect", () => { using Socket late = Bound(); Blocked.At("Socket.Connect, 127.0.0.1:{number} -> 127.0.0.1:{number}"); late.Connect(Full()); }),
        ("mutex", () => { Blocked.At("Mutex, Blocking.Key"); Key.WaitOne(); }),
        ("task", () => { Blocked.At("TaskCompletionSource"); Delivery.Task.Wait(); }),
        ("all", () => { Blocked.At("Task.WaitAll, 2 tasks left"); var second = new TaskCompletionSource(); Marks.Keep(second); Task.WaitAll(Delivery.Task, second.Task); }),
        ("any", () => { Blocked.At("WaitHandle.WaitAny or WaitAll, 2 handles"); WaitHandle.WaitAny([Gong, new ManualResetEvent(false)]); }),
        ("recall", () => { Blocked.At("CancellationTokenRegistration.Dispose, for a callback on thread {holder}", "caller"); _callback.Dispose(); }),
        ("child", () => { using Process child = Process.Start(new ProcessStartInfo("cat") { RedirectStandardInput = true })!; Blocked.At("Process.WaitForExit, pid {number}, running"); child.WaitForExit(); }),
        ("select", () => { using Socket quiet = Pair(); Blocked.At("Socket.Select"); Socket.Select(new List<Socket> { quiet }, null, null, -1); }),
        ("send", () => { using Socket full = Pair(); byte[] much = new byte[1 << 24]; Blocked.At("Socket.Send, to 127.0.0.1:{number}"); full.Send(much); }),
        ("udp", () => { using var quiet = new UdpClient(0); IPEndPoint? from = null; Blocked.At("UdpClient.Receive"); quiet.Receive(ref from); }),
        ("native", () => { Blocked.At("Natives.Poll, in a system call"); _ = Natives.Poll(0, 0, -1); }),
        ("pipe", () => { using FileStream quiet = Natives.Pipe(); Blocked.At("FileStream.ReadByte, in a system call"); quiet.ReadByte(); }),
        ("handle", () => { Blocked.At("TaskCompletionSource"); ((IAsyncResult)Delivery.Task).AsyncWaitHandle.WaitOne(); }),
    ];

    private static void Hold()
    {
        Book.EnterWriteLock();
        Key.WaitOne();
        lock (Till)
        {
            lock (Oven)
            {
                Blocked.At("ManualResetEventSlim, Blocking.Closing, not set, {number} waiting"); Closing.Wait();
            }
        }
        Book.ExitWriteLock();
    }

    private static void ReadMenu()
    {
        Menu.EnterReadLock();
        Blocked.At("ManualResetEventSlim, Blocking.Closing, not set, {number} waiting"); Closing.Wait();
        Menu.ExitReadLock();
    }

    private static void CallBack()
    {
        using var source = new CancellationTokenSource();
        _callback = source.Token.Register(() => { Blocked.At("ManualResetEventSlim, Blocking.Closing, not set, {number} waiting"); Closing.Wait(); });
        source.Cancel();
    }

    private static int Sum()
    {
        Blocked.At("ManualResetEventSlim, Blocking.Closing, not set, {number} waiting"); Closing.Wait();
        return 3;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static int Heat()
    {
        Blocked.At("ManualResetEventSlim, Blocking.Closing, not set, {number} waiting"); Closing.Wait();
        return 4;
    }

    private static Socket Bound()
    {
        var client = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        using var probe = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        probe.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        EndPoint free = probe.LocalEndPoint!;
        probe.Close();
        client.Bind(free);
        return client;
    }

    // Of a listener that accepts nobody, the queue is full after some connections: the next one waits.
    private static EndPoint Full()
    {
        var listener = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        listener.Listen(1);
        Marks.Keep(listener);
        for (bool isFull = false; !isFull;)
        {
            var client = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { Blocking = false };
            Marks.Keep(client);
            try { client.Connect(listener.LocalEndPoint!); }
            catch (SocketException) { isFull = !client.Poll(100_000, SelectMode.SelectWrite); }
        }
        return listener.LocalEndPoint!;
    }

    // The other end stays open and says nothing.
    private static Socket Pair(bool isBound = false)
    {
        var listener = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        listener.Listen();
        var client = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        if (isBound) client.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        client.Connect(listener.LocalEndPoint!);
        Marks.Keep(listener);
        Marks.Keep(listener.Accept());
        return client;
    }
}

/// <summary>Its initializer does not end.</summary>
internal static class Kitchen
{
    public static readonly int Stove;

    static Kitchen()
    {
        Stove = Blocking.Heat();
    }
}
