using System.Runtime.ExceptionServices;
using Async2.Dump.Workers;

namespace Async2.Dump.Watching;

/// <summary>
/// Work that nobody waits for: a process runs on with what was copied of it, and where processors are scarce, it and its clients have the first claim to them.
/// Copying itself is never done so: until that is done, the process is stopped (the library sees to it).
/// </summary>
internal static class SpareTime
{
    // A tenth of what an equal thread would get, where all processors are busy.
    private const int Niceness = 10;

    // Where nobody leaves anything, a look would never come to its end.
    private static readonly TimeSpan Timeout = TimeSpan.FromSeconds(5);

    private static readonly Lazy<bool> Possible = new(CanEnd);

    /// <summary>Whether a thread that has only what nobody else wants may become one like others again; that needs CAP_SYS_NICE, or RLIMIT_NICE.</summary>
    public static bool IsPossible => Possible.Value;

    /// <summary>Does it on a thread that is less urgent than others.</summary>
    public static T GiveWay<T>(Func<T> work) => On(() => { }, work, System.Threading.Timeout.InfiniteTimeSpan);

    /// <summary>Does it with what nobody else wants; as the above if that is not enough for some seconds. Only if it is possible.</summary>
    public static T Do<T>(Func<T> work) => Do(work, Timeout);

    /// <summary>The same, with another timeout.</summary>
    internal static T Do<T>(Func<T> work, TimeSpan timeout) => On(() => NativeProcess.TryBeIdle(NativeProcess.ThisThread, true), work, timeout);

    /// <summary>It has turned out to be urgent.</summary>
    public static void End()
    {
        foreach (int thread in NativeProcess.OwnThreads())
            NativeProcess.TryBeIdle(thread, false);
        NativeProcess.GiveWay(0);
    }

    private static T On<T>(Action begin, Func<T> work, TimeSpan timeout)
    {
        T? result = default;
        ExceptionDispatchInfo? failure = null;
        var thread = new Thread(() =>
        {
            if (OperatingSystem.IsLinux())
            {
                NativeProcess.GiveWay(Niceness);
                begin();
            }
            try
            {
                result = work();
            }
            catch (Exception e)
            {
                failure = ExceptionDispatchInfo.Capture(e);
            }
        });
        thread.Start();
        if (!thread.Join(timeout))
        {
            // Those that it has started, too.
            foreach (int one in NativeProcess.OwnThreads())
                NativeProcess.TryBeIdle(one, false);
            thread.Join();
        }
        failure?.Throw();
        return result!;
    }

    private static bool CanEnd()
    {
        bool can = false;
        if (!OperatingSystem.IsLinux())
            return false;
        var thread = new Thread(() =>
        {
            NativeProcess.GiveWay(Niceness);
            can = NativeProcess.TryBeIdle(NativeProcess.ThisThread, true) && NativeProcess.TryBeIdle(NativeProcess.ThisThread, false);
        });
        thread.Start();
        thread.Join();
        return can;
    }
}
