using System.Runtime.CompilerServices;
using Net11Fixture.Support;

namespace JitFixture;

/// <summary>
/// Chains of .NET 10's own continuations that belong to tasks as the async2 experiment's JIT variant made them. Says what a reader must
/// find, then "ready PID", and stands still until standard input closes. See dumps/README.md.
/// </summary>
public static class Program
{
    private static bool isSpinning;

    public static int Main()
    {
        Truth.Situation = "jit";
        Alone(isValue: false);
        Alone(isValue: true);
        AwaitedByChain();
        AwaitedByClassic();
        Done();
        Running();
        Console.Out.WriteLine(Truth.ToJson());
        Console.Out.WriteLine($"ready {Environment.ProcessId}");
        Console.Out.Flush();
        while (Console.In.ReadLine() is not null)
        {
        }
        Environment.Exit(0);
        return 0;
    }

    private static void Alone(bool isValue)
    {
        var trail = new Trail();
        Task<int> gate = NewGate();
        Thunks.Instead(ServeAsync(trail, gate, 3), gate, isValue);
        Truth.Add(isValue ? "value task" : "task", trail.Frames);
    }

    private static void AwaitedByChain()
    {
        Trail inner = new(), outer = new();
        Task<int> gate = NewGate();
        Task<int> first = Thunks.Instead(ServeAsync(inner, gate, 4), gate);
        Thunks.Instead(PackAsync(outer, first, 5), first);
        Truth.Add("chain of chain", [.. inner.Frames, .. outer.Frames]);
    }

    private static void AwaitedByClassic()
    {
        Trail inner = new(), outer = new();
        Task<int> gate = NewGate();
        Truth.Keep(OrderAsync(outer, Thunks.Instead(PackAsync(inner, gate, 6), gate)));
        Truth.Add("classic", [.. inner.Frames, .. outer.Frames]);
    }

    // What it waited for has happened, and nobody has run it yet.
    private static void Done()
    {
        var trail = new Trail();
        Task<int> gate = NewGate();
        Thunks.Instead(PackAsync(trail, gate, 7), gate);
        TaskFields.Flags(gate) |= 0x1000000;
        Truth.Add("scheduled", trail.Frames);
    }

    // Two of its methods have returned; the thunk resumed them, and resumed the third.
    private static void Running()
    {
        var trail = new Trail();
        var gate = Truth.Keep(new TaskCompletionSource<int>(TaskCreationOptions.RunContinuationsAsynchronously));
        Thunks.Instead(CloseAsync(trail, gate.Task, 8), gate.Task);
        IEnumerable<TruthFrame> left = trail.Frames.Skip(2).Select(f => f.Method == nameof(CountAsync) ? f with { Line = 0 } : f);
        Truth.Add("running", left.Prepend(new TruthFrame(nameof(Spin), "Program.cs", 0)));
        gate.SetResult(1);
        while (!Volatile.Read(ref isSpinning))
            Thread.Sleep(10);
        Thread.Sleep(200);
    }

    private static Task<int> NewGate() => Truth.Keep(new TaskCompletionSource<int>()).Task;

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static async Task<int> ServeAsync(Trail t, Task<int> gate, int order)
    {
        string name = "order " + order;
        int packed = await PackAsync(t.At(), gate, order + 1);
        GC.KeepAlive(name);
        return packed + order;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static async Task<int> PackAsync(Trail t, Task<int> gate, int order)
    {
        if (order < 0)
            await Task.Yield();
        int sent = await SendAsync(t.At(), gate, order + 1);
        return sent + order;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static async Task<int> SendAsync(Trail t, Task<int> gate, int order)
    {
        int value = await t.At(gate);
        return value + order;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static async Task<int> CloseAsync(Trail t, Task<int> gate, int order)
    {
        int counted = await CountAsync(t.At(), gate, order + 1);
        return counted + order;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static async Task<int> CountAsync(Trail t, Task<int> gate, int order)
    {
        int sum = await PackAsync(t.At(), gate, order + 1);
        sum += Spin();
        return sum + order;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int Spin()
    {
        Volatile.Write(ref isSpinning, true);
        // In managed code only: of a thread that is inside the runtime's own native code the DAC finds no frames.
        while (Volatile.Read(ref isSpinning))
        {
        }
        return 1;
    }

    [RuntimeAsyncMethodGeneration(false)]
    private static async Task<int> OrderAsync(Trail t, Task<int> chain)
    {
        int value = await t.At(chain);
        return value + 1;
    }
}
