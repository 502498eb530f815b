using System.Collections.Concurrent;
using System.Threading.Channels;

namespace Situations;

/// <summary>
/// Waits that are left when a token is cancelled. Of <see cref="StartOrphans"/> nobody else has token nor promise; of <see cref="StartReached"/> somebody has one of
/// the two, or a timer runs. And items that nobody will read.
/// </summary>
public static class Left
{
    private static readonly ConcurrentDictionary<int, TaskCompletionSource<string>> Asked = new();
    private static readonly CancellationTokenSource Stopping = new();

    public static void StartOrphans()
    {
        Marks.Keep(ByNobody());
        Marks.Keep(ByNobody(new object()));
        Marks.Keep(EnterByNobody());
        Marks.Keep(Behind());
        Marks.Keep(Both());
        _ = Unread();
    }

    public static void StartReached()
    {
        Marks.Keep(ByToken());
        Marks.Keep(ByLinkedToken());
        Marks.Keep(ByLimit());
        Marks.Keep(ByLateToken());
        Marks.Keep(ByPromise(3));
        Marks.Keep(EnterByLinkedToken());
        Marks.Keep(BehindKept(4));
    }

    private static Task<string> Source() => new TaskCompletionSource<string>(TaskCreationOptions.RunContinuationsAsynchronously).Task;

    private static async Task<int> ByNobody()
    {
        using var patience = new CancellationTokenSource(Timeout.Infinite);
        Marks.Here("orphan-left"); string answer = await Source().WaitAsync(patience.Token);
        return answer.Length;
    }

    private static async Task<bool> ByNobody(object state)
    {
        var source = new TaskCompletionSource();
        GC.KeepAlive(state);
        Marks.Here("orphan-leftLocal"); await source.Task.WaitAsync(new CancellationTokenSource().Token);
        source.TrySetResult();
        return state is not null;
    }

    private static async Task EnterByNobody()
    {
        using var patience = new CancellationTokenSource();
        var gate = new SemaphoreSlim(0);
        Marks.Here("orphan-leftGate"); await gate.WaitAsync(patience.Token);
        gate.Release();
    }

    // What waits for the method is not told of once more.
    private static async Task Behind()
    {
        using var patience = new CancellationTokenSource();
        await Step().WaitAsync(patience.Token);
    }

    private static async Task<string> Step() => await Source().At("orphan-leftStep");

    // Nor what waits for several of which it is one.
    private static async Task Both()
    {
        Task nested = Nested();
        await Task.WhenAll(Task.CompletedTask, nested);
        GC.KeepAlive(nested);
    }

    private static async Task<int> Nested()
    {
        string answer = await Innermost();
        return answer.Length;
    }

    private static async Task<string> Innermost() => await Source().At("orphan-leftNested");

    // A collection takes it away.
    private static async Task Unread()
    {
        Channel<string> lines = Channel.CreateBounded<string>(1);
        await lines.Writer.WriteAsync("one");
        Marks.Here("orphan-unread"); await lines.Writer.WriteAsync("two");
        lines.Writer.Complete();
    }

    // Who has the source may cancel it.
    private static async Task<int> ByToken()
    {
        Marks.Here("fine-leftToken"); return (await Source().WaitAsync(Stopping.Token)).Length;
    }

    private static async Task<int> ByLinkedToken()
    {
        using var linked = CancellationTokenSource.CreateLinkedTokenSource(Stopping.Token);
        Marks.Here("fine-leftLinked"); string answer = await Source().WaitAsync(linked.Token);
        return answer.Length;
    }

    private static async Task<int> ByLimit()
    {
        Marks.Here("fine-leftLimit"); return (await Source().WaitAsync(TimeSpan.FromMinutes(30))).Length;
    }

    private static async Task<int> ByLateToken()
    {
        using var patience = new CancellationTokenSource(TimeSpan.FromMinutes(30));
        Marks.Here("fine-leftLate"); string answer = await Source().WaitAsync(patience.Token);
        return answer.Length;
    }

    // Who has the dictionary could complete it.
    private static async Task<int> ByPromise(int key)
    {
        using var patience = new CancellationTokenSource();
        Marks.Here("fine-leftPromise"); string answer = await Asked.GetOrAdd(key, static _ => new()).Task.WaitAsync(patience.Token);
        return answer.Length;
    }

    // Who cancels the one token cancels the other.
    private static async Task EnterByLinkedToken()
    {
        using var linked = CancellationTokenSource.CreateLinkedTokenSource(Stopping.Token);
        var gate = new SemaphoreSlim(0);
        Marks.Here("fine-leftGate"); await gate.WaitAsync(linked.Token);
        gate.Release();
    }

    // And who has the dictionary, what a method waits for that is waited for.
    private static async Task BehindKept(int key)
    {
        using var patience = new CancellationTokenSource();
        await StepKept(key).WaitAsync(patience.Token);
    }

    private static async Task<string> StepKept(int key) => await Asked.GetOrAdd(key, static _ => new()).Task.At("fine-leftStep");
}
