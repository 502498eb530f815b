using System.Runtime.CompilerServices;

namespace Situations;

/// <summary>
/// Threads that compute and make garbage while others wait: one of them will complete what it alone knows ("fine-computing"), and nobody completes the rest
/// ("orphan-computing"). Their stacks and the list of objects with finalizers are caught in the middle of anything. Any word there may mean a promise by
/// chance, so there are several.
/// </summary>
public static class Computing
{
    private const int Promises = 20;

    private static int s_running;
    private static volatile bool s_stop;

    public static void Start(int _)
    {
        for (int i = 0; i < Promises; i++)
            Marks.Keep(Forgotten());
        Marks.Keep(Computed());
        for (int i = 0; i < 2; i++)
            new Thread(Churn) { IsBackground = true }.Start(i);
        SpinWait.SpinUntil(() => Volatile.Read(ref s_running) == 3);
        Thread.Sleep(300);
    }

    private static async Task Forgotten() => await new TaskCompletionSource().Task.At("orphan-computing");

    private static async Task<long> Computed()
    {
        var source = new TaskCompletionSource<long>();
        Begin(source);
        Task<long> task = source.Task;
        return await task.At("fine-computing");
    }

    private static void Begin(TaskCompletionSource<long> source)
        => new Thread(state => Compute((TaskCompletionSource<long>)state!)) { IsBackground = true }.Start(source);

    // Nothing but a local variable of a thread that runs knows the promise.
    private static void Compute(TaskCompletionSource<long> source)
    {
        Interlocked.Increment(ref s_running);
        long sum = 0;
        for (long i = 0; !s_stop; i++)
            sum += i % 7;
        source.SetResult(sum);
    }

    private static void Churn(object? seed)
    {
        Interlocked.Increment(ref s_running);
        var random = new Random((int)seed!);
        long sum = 0;
        while (!s_stop)
            sum += Count(Make(random.Next(3, 9), random)) + Spin(random.Next(50_000));
        GC.KeepAlive(sum);
    }

    // Words of earlier calls stay where nothing is written.
    [SkipLocalsInit, MethodImpl(MethodImplOptions.NoInlining)]
    private static long Spin(int count)
    {
        Span<long> old = stackalloc long[4096];
        long sum = 0;
        for (int i = 0; i < count; i++)
            sum += old[i & 4095] ^ i;
        return sum;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static Node Make(int depth, Random random) => depth == 0 ? new Leaf(new int[random.Next(40)]) : new Node(Make(depth - 1, random), Make(depth - 1, random), new object());

    private static int Count(Node? node) => node is null ? 0 : 1 + Count(node.Left) + Count(node.Right);

    private class Node(Node? left, Node? right, object? value)
    {
        public Node? Left { get; } = left;

        public Node? Right { get; } = right;

        public object? Value { get; } = value;
    }

    private sealed class Leaf(int[] data) : Node(null, null, data)
    {
        ~Leaf() => Interlocked.Increment(ref s_finalized);
    }

    private static int s_finalized;
}
