using System.Collections.Concurrent;
using System.Runtime.CompilerServices;

namespace Situations;

/// <summary>One thread that says where it will block.</summary>
/// <param name="Name">Of the thread.</param>
/// <param name="Thread">Its managed id.</param>
/// <param name="Method">That blocks; of a lambda the member that holds it.</param>
/// <param name="Line">Of the call that blocks.</param>
/// <param name="Wait">What it waits for, with placeholders for what varies.</param>
/// <param name="HeldBy">Name of the thread that holds it; null for none.</param>
public sealed record BlockedThread(string Name, int Thread, string Method, int Line, string Wait, string? HeldBy);

/// <summary>Threads that are started to block, and what they say of themselves.</summary>
public static class Blocked
{
    private static readonly ConcurrentDictionary<string, Thread> Threads = new();
    private static readonly ConcurrentDictionary<int, BlockedThread> Recorded = new();

    public static IEnumerable<BlockedThread> All => Recorded.Values.OrderBy(thread => thread.Thread);

    public static Thread Of(string name) => Threads[name];

    /// <summary>Starts a thread and waits until it blocks.</summary>
    public static void Run(string name, Action work)
    {
        var thread = new Thread(() => work()) { IsBackground = true, Name = name };
        Threads[name] = thread;
        thread.Start();
        while (!Recorded.ContainsKey(thread.ManagedThreadId) || (thread.ThreadState & ThreadState.WaitSleepJoin) == 0)
        {
            // A system call, and the wait for an initializer, are no wait that the runtime knows of.
            if (Recorded.ContainsKey(thread.ManagedThreadId) && name is "receive" or "receiveBound" or "connect" or "initializer" or "recall" or "select" or "send" or "udp" or "native" or "pipe")
                break;
            Thread.Sleep(5);
        }
    }

    /// <summary>Until those of which the runtime does not know that they block do.</summary>
    public static void WaitForAll() => Thread.Sleep(500);

    /// <summary>The caller will block in its next call, on the same line.</summary>
    public static void At(string wait, string? heldBy = null, [CallerMemberName] string method = "", [CallerLineNumber] int line = 0)
        => Recorded[Environment.CurrentManagedThreadId] = new(Thread.CurrentThread.Name ?? "", Environment.CurrentManagedThreadId, method, line, wait, heldBy);

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Use(int value) => GC.KeepAlive(value);
}
