using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace Situations;

/// <summary>
/// Async methods that execute and spend their time in native functions of which the runtime notes no caller: it stores references, asks for the time, copies memory,
/// computes, allocates.
/// </summary>
public static class InNative
{
    private static readonly Holder Shared = new();
    private static readonly byte[] From = new byte[200_000], To = new byte[200_000];
    private static double sum;
    private static readonly ManualResetEventSlim Started = new();
    private static volatile int waiting;

    public static void Start(int count)
    {
        Func<Task>[] methods = [MeasureAsync, StoreAsync, CopyAsync, ComputeAsync, AllocateAsync];
        waiting = count is > 0 and <= 5 ? count : methods.Length;
        foreach (Func<Task> method in methods.Take(waiting))
            Marks.Keep(method());
        Started.Set();
        while (waiting > 0)
            Thread.Sleep(10);
        Thread.Sleep(200);
    }

    private static async Task StoreAsync()
    {
        await Begin();
        object[] values = ["a", "b"];
        for (int i = 0; ; i++)
            Shared.Value = values[i & 1];
    }

    private static async Task MeasureAsync()
    {
        await Begin();
        long first = Stopwatch.GetTimestamp();
        int line = Marks.Here("measure");
        while (Stopwatch.GetTimestamp() >= first)
            GC.KeepAlive(line);
    }

    private static async Task CopyAsync()
    {
        await Begin();
        while (waiting >= 0)
            From.CopyTo(To, 0);
    }

    private static async Task ComputeAsync()
    {
        await Begin();
        while (waiting >= 0)
            sum += Math.Pow(1.0000001, 3.3) + Math.Sin(sum);
    }

    private static async Task AllocateAsync()
    {
        await Begin();
        while (waiting >= 0)
            Shared.Value = Make();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static object Make() => new Holder();

    // Each goes on in a thread of its own.
    private static async Task Begin()
    {
        var own = new TaskCompletionSource();
        new Thread(() => Go(own)) { IsBackground = true }.Start();
        await own.Task;
        Interlocked.Decrement(ref waiting);
    }

    private static void Go(TaskCompletionSource own)
    {
        Started.Wait();
        own.SetResult();
    }

    private sealed class Holder
    {
        public object? Value { get; set; }
    }
}
