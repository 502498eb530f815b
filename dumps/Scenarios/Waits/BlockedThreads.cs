// The user must see, beside each stack that waits for a delegate, what the thread of that delegate blocks on, and who holds it.
using System.Collections.Concurrent;
using Scenarios.Support;

namespace Scenarios.Waits;

[Scenario("threads that block: Monitor, Lock, ReaderWriterLockSlim, semaphores, events, Join, BlockingCollection, Barrier")]
public static class BlockedThreads
{
    public static Task Run(Trail t)
    {
        object till = new();
        var oven = new Lock();
        var book = new ReaderWriterLockSlim();
        var ovens = new SemaphoreSlim(0);
        var bell = new ManualResetEventSlim();
        var guests = new CountdownEvent(3);
        var toast = new Barrier(2);
        var orders = new BlockingCollection<int>(5);
        var gong = new AutoResetEvent(false);
        var closing = new ManualResetEventSlim();
        var isHeld = new ManualResetEventSlim();
        var owner = new Thread(() => HoldAll(till, oven, book, isHeld, closing)) { IsBackground = true };
        owner.Start();
        isHeld.Wait();
        Task all = Task.WhenAll(
            WorkAsync(t.Fork("Monitor"), closing.Set, () => { lock (till) return 1; }),
            WorkAsync(t.Fork("Lock"), closing.Set, () => { lock (oven) return 1; }),
            WorkAsync(t.Fork("ReaderWriterLockSlim"), closing.Set, () => Read(book)),
            WorkAsync(t.Fork("SemaphoreSlim"), () => ovens.Release(), () => Pass(ovens.Wait)),
            WorkAsync(t.Fork("ManualResetEventSlim"), bell.Set, () => Pass(bell.Wait)),
            WorkAsync(t.Fork("CountdownEvent"), () => guests.Signal(3), () => Pass(guests.Wait)),
            WorkAsync(t.Fork("Barrier"), toast.RemoveParticipant, () => Pass(toast.SignalAndWait)),
            WorkAsync(t.Fork("BlockingCollection"), () => orders.Add(1), () => orders.Take()),
            WorkAsync(t.Fork("AutoResetEvent"), () => gong.Set(), () => Pass(() => gong.WaitOne())),
            WorkAsync(t.Fork("Join"), closing.Set, () => Pass(owner.Join)),
            WorkAsync(t.Fork("pulse"), () => Wake(guests, closing), () => Doze(guests, closing)));
        WaitUntilOthersSleep();
        return all;
    }

    // Who runs has not blocked yet: on a busy machine, that may take its time.
    private static void WaitUntilOthersSleep()
    {
        string? own = File.ResolveLinkTarget("/proc/thread-self", returnFinalTarget: false)?.Name;
        for (int quiet = 0, looks = 0; own is not null && quiet < 3 && looks < 1000; looks++)
        {
            quiet = Directory.GetDirectories("/proc/self/task").Any(thread => Path.GetFileName(thread) != own && Runs(thread)) ? 0 : quiet + 1;
            Thread.Sleep(2);
        }
    }

    // "tid (name) R ...": proc(5).
    private static bool Runs(string thread)
    {
        try
        {
            string stat = File.ReadAllText(Path.Join(thread, "stat"));
            return stat[stat.LastIndexOf(')') + 2] == 'R';
        }
        catch (IOException)
        {
            // It has ended.
            return false;
        }
    }

    private static void HoldAll(object till, Lock oven, ReaderWriterLockSlim book, ManualResetEventSlim isHeld, ManualResetEventSlim closing)
    {
        book.EnterWriteLock();
        lock (till)
        {
            lock (oven)
            {
                isHeld.Set();
                closing.Wait();
            }
        }
        book.ExitWriteLock();
    }

    private static async Task<int> WorkAsync(Trail t, Action release, Func<int> block)
    {
        Task<int> work = Task.Factory.StartNew(block, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        SpinWait.SpinUntil(() => work.Status == TaskStatus.Running || work.IsCompleted);
        t.Rest("Task", release);
        t.At(); int result = await work;
        return result + 1;
    }

    private static int Read(ReaderWriterLockSlim book)
    {
        book.EnterReadLock();
        book.ExitReadLock();
        return 1;
    }

    private static int Pass(Action wait)
    {
        wait();
        return 1;
    }

    private static int Doze(object chair, ManualResetEventSlim closing)
    {
        lock (chair)
        {
            while (!closing.IsSet) Monitor.Wait(chair);
        }
        return 1;
    }

    private static void Wake(object chair, ManualResetEventSlim closing)
    {
        closing.Set();
        lock (chair) Monitor.PulseAll(chair);
    }
}
