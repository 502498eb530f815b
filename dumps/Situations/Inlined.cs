using System.Runtime.CompilerServices;

namespace Situations;

/// <summary>Methods so small that the optimiser puts them into those that await them: what they hold and will do is kept in the objects of others.</summary>
public static class Inlined
{
    private static readonly SemaphoreSlim Left = new(1, 1), Right = new(1, 1), Till = new(1, 1), Gate = new(1, 1);

    /// <summary>Each gives back what its caller has taken, when it gets what the other one's caller has taken.</summary>
    public static void StartPair(int count) => Together.Start(all => CrossAsync(Left, Right, all), all => CrossAsync(Right, Left, all));

    /// <summary>One holds a gate and waits for an answer; who would give that waits for the gate.</summary>
    public static void StartPromise(int count)
    {
        var answer = new TaskCompletionSource<ushort>();
        Marks.Keep(AskAsync(answer));
        Thread.Sleep(100);
        Marks.Keep(ReplyAsync(answer, Gate));
        Thread.Sleep(300);
    }

    /// <summary>Healthy: it holds what others want, and takes long; one that is awaited sends an answer in the end.</summary>
    public static void StartSlow(int count)
    {
        var answer = new TaskCompletionSource<ushort>();
        Marks.Keep(PayAsync(Till));
        Thread.Sleep(100);
        for (int i = 0; i < 3; i++)
            Marks.Keep(PayAsync(Till));
        Marks.Keep(ListenAsync(answer));
        Marks.Keep(SpeakAsync(answer, 7));
        Thread.Sleep(300);
    }

    private static async Task CrossAsync(SemaphoreSlim held, SemaphoreSlim wanted, Task all)
    {
        await held.WaitAsync();
        await all;
        await SwapAsync(held, wanted);
    }

    private static async Task SwapAsync(SemaphoreSlim held, SemaphoreSlim wanted)
    {
        try
        {
            await wanted.WaitAsync();
            wanted.Release();
        }
        finally
        {
            held.Release();
        }
    }

    private static async Task AskAsync(TaskCompletionSource<ushort> answer)
    {
        await Gate.WaitAsync();
        try
        {
            Marks.Keep(await answer.Task);
        }
        finally
        {
            Gate.Release();
        }
    }

    private static async Task ReplyAsync(TaskCompletionSource<ushort> answer, SemaphoreSlim gate)
    {
        await Task.Yield();
        await SendAsync(answer, gate);
    }

    private static async Task SendAsync(TaskCompletionSource<ushort> answer, SemaphoreSlim gate)
    {
        await gate.WaitAsync();
        answer.SetResult(7);
        gate.Release();
    }

    private static async Task PayAsync(SemaphoreSlim till)
    {
        await till.WaitAsync();
        await RestAsync(till);
    }

    private static async Task RestAsync(SemaphoreSlim till)
    {
        try
        {
            await Task.Delay(TimeSpan.FromHours(1));
        }
        finally
        {
            till.Release();
        }
    }

    private static async Task ListenAsync(TaskCompletionSource<ushort> answer) => Marks.Keep(await answer.Task);

    private static async Task SpeakAsync(TaskCompletionSource<ushort> answer, ushort value)
    {
        await Task.Yield();
        await LateAsync(answer, value);
    }

    private static async Task LateAsync(TaskCompletionSource<ushort> answer, ushort value)
    {
        await Task.Delay(TimeSpan.FromHours(1));
        answer.SetResult(value);
    }

    /// <summary>Healthy: a thread holds a lock in a method that was put into another one, and takes long; a second thread wants it.</summary>
    public static void StartLocked(int count)
    {
        var sync = new Lock();
        Run(sync);
        Run(sync);
        Thread.Sleep(300);
    }

    private static void Run(Lock sync)
    {
        new Thread(() => SpendAll(sync)) { IsBackground = true }.Start();
        Thread.Sleep(200);
    }

    private static void SpendAll(Lock sync)
    {
        while (true)
            Spend(sync);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void Spend(Lock sync)
    {
        lock (sync)
            Thread.Sleep(3_600_000);
    }
}
