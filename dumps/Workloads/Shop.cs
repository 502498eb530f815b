using System.Runtime.CompilerServices;

namespace Workloads;

/// <summary>
/// Chains of nested awaits of which no two are alike: what one calls the next depends on the number of the chain, near its outermost
/// frame, so that chains with near numbers share their callers; then on chance that is the same each time.
/// </summary>
public static class Shop
{
    private const int BitsOfAStep = 3;
    private const int SharedSteps = 5;

    private static readonly List<Task<int>> Started = [];
    private static readonly TaskCompletionSource Gate = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private static long frames;

    public static long Start(int count, int steps)
    {
        if (steps < SharedSteps || count > 1 << (BitsOfAStep * SharedSteps))
            throw new ArgumentException($"at least {SharedSteps} steps, and at most {1 << (BitsOfAStep * SharedSteps)} chains");
        for (int i = 0; i < count; i++) Started.Add(ServeAsync(new Way((uint)i, (uint)i * 2654435761u, 0, steps)));
        return frames;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static async Task<int> ServeAsync(Way way)
    {
        frames++;
        if (way.IsEnd) return await EndAsync();
        int below = way.Choice switch
        {
            0 => await SearchAsync(way.Next),
            1 => await PriceAsync(way.Next),
            2 => await ReserveAsync(way.Next),
            3 => await PayAsync(way.Next),
            4 => await PackAsync(way.Next),
            5 => await ShipAsync(way.Next),
            6 => await ThankAsync(way.Next),
            _ => await ServeAsync(way.Next),
        };
        return below + 1;
    }

    // Nobody ever opens it; the method makes a frame of its own that waits.
    private static async Task<int> EndAsync()
    {
        frames++;
        await Gate.Task;
        return 0;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static async Task<int> SearchAsync(Way way)
    {
        frames++;
        int below = await ServeAsync(way);
        return below + 1;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static async Task<int> PriceAsync(Way way)
    {
        frames++;
        int below = await ServeAsync(way);
        return below + 1;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static async Task<int> ReserveAsync(Way way)
    {
        frames++;
        int below = await ServeAsync(way);
        return below + 1;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static async Task<int> PayAsync(Way way)
    {
        frames++;
        int below = await ServeAsync(way);
        return below + 1;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static async Task<int> PackAsync(Way way)
    {
        frames++;
        int below = await ServeAsync(way);
        return below + 1;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static async Task<int> ShipAsync(Way way)
    {
        frames++;
        int below = await ServeAsync(way);
        return below + 1;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static async Task<int> ThankAsync(Way way)
    {
        frames++;
        int below = await ServeAsync(way);
        return below + 1;
    }

    /// <summary>Where a chain goes from here.</summary>
    private readonly record struct Way(uint Number, uint Chance, int Step, int Steps)
    {
        public bool IsEnd => Step >= Steps;

        // The digits of the number, the highest first, then chance.
        public uint Choice => (Step < SharedSteps ? Number >> (BitsOfAStep * (SharedSteps - 1 - Step)) : Chance >> 20) & ((1 << BitsOfAStep) - 1);

        public Way Next => this with { Chance = Chance * 1664525u + 1013904223u, Step = Step + 1 };
    }
}
