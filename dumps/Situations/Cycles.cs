namespace Situations;

/// <summary>Methods that wait for each other.</summary>
public static class Cycles
{
    private static Task? first;
    private static Task? second;

    public static void StartPair(int count)
    {
        first = ShipAsync();
        second = PayAsync();
        Together.Meet();
        Thread.Sleep(300);
    }

    private static async Task ShipAsync()
    {
        await Together.Met;
        await second!.At("ship");
        GC.KeepAlive(first);
    }

    private static async Task PayAsync()
    {
        await Together.Met;
        await first!.At("pay");
        GC.KeepAlive(second);
    }

    /// <summary>The same through WhenAll.</summary>
    public static void StartCombinatorCycle(int count)
    {
        first = CollectAsync();
        second = ConfirmAsync();
        Together.Meet();
        Thread.Sleep(300);
    }

    private static async Task CollectAsync()
    {
        await Together.Met;
        await Task.WhenAll(new TaskCompletionSource().Task, second!).At("collect");
        GC.KeepAlive(first);
    }

    private static async Task ConfirmAsync()
    {
        await Together.Met;
        await first!.At("confirm");
        GC.KeepAlive(second);
    }

    /// <summary>A loop that one of its own callees waits for: in runtime-async that is one operation, which awaits itself. Awaits of tasks in between would make several of it.</summary>
    public static void StartOwnEnd(int count)
    {
        first = LoopAsync();
        Together.Meet();
        Thread.Sleep(300);
    }

    private static async Task LoopAsync()
    {
        await Together.Met;
        await FlushAsync();
        GC.KeepAlive(first);
    }

    private static async Task FlushAsync()
    {
        await Task.Delay(50);
        await EndAsync();
        GC.KeepAlive(first);
    }

    private static async Task EndAsync()
    {
        await Task.Delay(50);
        await first!.At("end");
        GC.KeepAlive(first);
    }

    /// <summary>What is loaded for a key needs that of the next key, in a ring.</summary>
    public static void StartRing(int count)
    {
        Task<int>[] loads = new Task<int>[3];
        for (int i = 0; i < loads.Length; i++)
            loads[i] = LoadAsync(loads, i);
        first = loads[0];
        Together.Meet();
        Thread.Sleep(300);
    }

    /// <summary>Three requests, each of which waits for what waits for it: one finding.</summary>
    public static void StartRings(int count)
    {
        var requests = new Task<int>[3][];
        for (int i = 0; i < requests.Length; i++)
        {
            Task<int>[] parts = requests[i] = new Task<int>[2];
            // Whichever is looked at first.
            if (i == 1)
                parts[1] = AnswerAsync(parts);
            parts[0] = AskAsync(parts);
            parts[1] ??= AnswerAsync(parts);
        }
        Marks.Keep(requests);
        Together.Meet();
        Thread.Sleep(300);
    }

    private static async Task<int> AskAsync(Task<int>[] parts)
    {
        await Together.Met;
        int answer = await parts[1].At("rings-ask");
        return answer + 1;
    }

    private static async Task<int> AnswerAsync(Task<int>[] parts)
    {
        await Together.Met;
        int question = await parts[0].At("rings-answer");
        return question + 1;
    }

    private static async Task<int> LoadAsync(Task<int>[] loads, int key)
    {
        await Together.Met;
        int next = await loads[(key + 1) % loads.Length].At("ring");
        return next + 1;
    }
}
