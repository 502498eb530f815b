using System.Runtime.CompilerServices;

namespace Situations;

/// <summary>
/// Threads that block behind an await: what has just completed the awaited task is on their stacks still, where it is a state machine. One of them has
/// completed a promise, and has more to do.
/// </summary>
public static class Ended
{
    private static int waiting = 6;

    public static void Start(int count)
    {
        ThreadPool.SetMinThreads(8, 8);
        var promise = new TaskCompletionSource<int>();
        Marks.Keep(BlockAsync(LoadAsync()));
        Marks.Keep(BlockAsync(BorrowAsync()));
        Marks.Keep(AgainAsync(BorrowAsync()));
        Marks.Keep(EachAsync());
        Marks.Keep(BlockAsync(promise.Task));
        Marks.Keep(SetAsync(promise));
        StartInline();
        while (Volatile.Read(ref waiting) > 0)
            Thread.Sleep(10);
        Thread.Sleep(200);
    }

    // What a context of its own executes at once runs inside of what has ended, too.
    private static void StartInline()
    {
        SynchronizationContext.SetSynchronizationContext(new InlineContext());
        Marks.Keep(BlockAsync(LoadAsync()));
        SynchronizationContext.SetSynchronizationContext(null);
    }

    private static async Task BlockAsync(Task<int> task)
    {
        int value = await task;
        Block(Marks.Here("block"));
        GC.KeepAlive(value);
    }

    // The box that is on the stack still is another operation's by now, which waits.
    private static async Task AgainAsync(Task<int> task)
    {
        int value = await task;
        Marks.Keep(LendAsync(new TaskCompletionSource().Task).AsTask());
        Block(Marks.Here("again"));
        GC.KeepAlive(value);
    }

    private static async Task EachAsync()
    {
        await foreach (int item in ItemsAsync())
            Block(item.At("each"));
    }

    private static async Task<int> LoadAsync()
    {
        int value = await ReadAsync();
        return value + 1;
    }

    private static async Task<int> ReadAsync()
    {
        await Task.Delay(50);
        return 1;
    }

    private static async Task<int> BorrowAsync()
    {
        int value = await LendAsync(Task.Delay(50));
        return value + 1;
    }

    // Its box is in the pool again.
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private static async ValueTask<int> LendAsync(Task until)
    {
        await until.At("lend");
        return 1;
    }

    // Rests at the first element, although it is on the stack.
    private static async IAsyncEnumerable<int> ItemsAsync()
    {
        await Task.Delay(50);
        yield return 1;
        await Task.Delay(50);
        yield return 2;
    }

    private static async Task SetAsync(TaskCompletionSource<int> promise)
    {
        await Task.Delay(50);
        promise.At("set").SetResult(1);
        await Task.Delay(50);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Block(int value)
    {
        Interlocked.Decrement(ref waiting);
        Thread.Sleep(TimeSpan.FromHours(1));
        GC.KeepAlive(value);
    }

    private sealed class InlineContext : SynchronizationContext
    {
        public override void Post(SendOrPostCallback d, object? state) => d(state);
    }
}
