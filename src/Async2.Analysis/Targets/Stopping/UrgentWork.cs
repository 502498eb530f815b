using System.Collections.Concurrent;
using System.Runtime.ExceptionServices;

namespace Async2.Analysis.Targets.Stopping;

/// <summary>
/// Work during which a process is stopped. Who reads what was copied may give way to others (<c>watch</c> does), but the process must not wait until nobody else
/// wants a processor: for such a caller another thread does it, one that was started before and gives way to nobody.
/// </summary>
internal static class UrgentWork
{
    private static readonly object Gate = new();
    private static BlockingCollection<Action>? _work;
    private static int _niceness;

    /// <summary>Starts that thread; from a thread that does not give way.</summary>
    public static void Prepare()
    {
        if (!OperatingSystem.IsLinux())
            return;
        lock (Gate)
        {
            if (_work is not null)
                return;
            (_work, _niceness) = ([], ThreadUrgency.Niceness);
            new Thread(Serve) { IsBackground = true }.Start();
        }
    }

    /// <summary>Does it, on this thread or on the other one, and waits for it.</summary>
    public static T Do<T>(Func<T> work)
    {
        if (_work is not { } queue || (ThreadUrgency.Niceness <= _niceness && !ThreadUrgency.IsIdle))
            return work();
        T? result = default;
        ExceptionDispatchInfo? failure = null;
        using var done = new ManualResetEventSlim();
        queue.Add(() =>
        {
            try
            {
                result = work();
            }
            catch (Exception e)
            {
                failure = ExceptionDispatchInfo.Capture(e);
            }
            done.Set();
        });
        done.Wait();
        failure?.Throw();
        return result!;
    }

    private static void Serve()
    {
        foreach (Action work in _work!.GetConsumingEnumerable())
            work();
    }
}
