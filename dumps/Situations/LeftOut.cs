using System.Runtime.CompilerServices;

namespace Situations;

/// <summary>Calls of which optimised code leaves no frame in memory: tail awaits, inlined callees, recursion that became a jump.</summary>
public static class LeftOut
{
    private static readonly TaskCompletionSource<int> Never = new();
    private static readonly Task Pending = Never.Task;

    public static void Start(int count)
    {
        Marks.Keep(OnlyTailsAsync(1));
        Marks.Keep(OnlyTailDelayAsync(1));
        Marks.Keep(WaitsForTailsAsync(OnlyTailsAsync(2)));
        Marks.Keep(InlinesAsync(1));
        Marks.Keep(InlinesValueAsync(1));
        Marks.Keep(InlinesYieldAsync(1));
        Marks.Keep(InlinesDelayAsync(1));
        Marks.Keep(InlinesTailsAsync(1));
        Marks.Keep(CountsDownAsync(4));
        Marks.Keep(CallsTheCounterAsync(4));
        Marks.Keep(CountsTailsAsync(4));
        Marks.Keep(InlinesOneAsync(4));
        Marks.Keep(new Inner().RunAsync(4));
        Marks.Keep(LocalAsync(4));
        Marks.Keep(VoidsAsync(4));
        Marks.Keep(StoredAsync(1));
        Marks.Keep(ConfiguredAsync(1));
        Marks.Keep(YieldsAsync(1));
        Marks.Keep(SharesAsync(InlinesAsync(9)));
        Thread.Sleep(300);
    }

    // Three frames, and all end in an await: none is in memory.
    private static async Task<int> OnlyTailsAsync(int number) => await MiddleTailAsync(number);

    private static async Task<int> MiddleTailAsync(int number) => await InnerTailAsync(number);

    private static async Task<int> InnerTailAsync(int number) => await Never.Task;

    private static async Task OnlyTailDelayAsync(int number) => await Task.Delay(TimeSpan.FromHours(number));

    // What it waits for is there, and shown, although it has no frames.
    private static async Task WaitsForTailsAsync(Task<int> tails)
    {
        GC.KeepAlive(await tails.At("waitsForTails"));
    }

    // Callees that keep nothing over their await are inlined.
    private static async Task<int> InlinesAsync(int number)
    {
        int sum = Marks.Here("inlines") + await InlinedAsync();
        return sum + number;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static async Task<int> InlinedAsync()
    {
        int sum = await InnermostAsync();
        return sum / 2;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static async Task<int> InnermostAsync()
    {
        await Never.Task;
        return 20;
    }

    private static async Task<int> InlinesValueAsync(int number)
    {
        int sum = Marks.Here("inlinesValue") + await InlinedValueAsync();
        return sum + number;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static async Task<int> InlinedValueAsync()
    {
        int sum = await InnermostValueAsync();
        return sum / 2;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static async Task<int> InnermostValueAsync()
    {
        await Pending;
        return 20;
    }

    private static async Task<int> InlinesYieldAsync(int number)
    {
        int sum = Marks.Here("inlinesCustom") + await InlinedCustomAsync();
        return sum + number;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static async Task<int> InlinedCustomAsync()
    {
        int sum = await InnermostCustomAsync();
        return sum / 2;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static async Task<int> InnermostCustomAsync()
    {
        await new Forever();
        return 20;
    }

    private static async Task<int> InlinesDelayAsync(int number)
    {
        int sum = Marks.Here("inlinesDelay") + await InlinedDelayAsync();
        return sum + number;
    }

    private static async Task<int> InlinedDelayAsync()
    {
        int sum = await InnermostDelayAsync();
        return sum / 2;
    }

    private static async Task<int> InnermostDelayAsync()
    {
        await Task.Delay(TimeSpan.FromHours(1));
        return 20;
    }

    private static async Task<int> InlinesTailsAsync(int number)
    {
        int sum = Marks.Here("inlinesTails") + await OnlyTailsAsync(number);
        return sum + number;
    }

    // Five frames of one method; optimised code jumps back to its beginning.
    private static async Task<int> CountsDownAsync(int number)
    {
        if (number > 0)
            return await CountsDownAsync(number - 1);
        int sum = Marks.Here("countsDown") + await Never.Task;
        return sum + number;
    }

    private static async Task<int> CallsTheCounterAsync(int number)
    {
        int sum = Marks.Here("callsTheCounter") + await CountsDownAsync(number);
        return sum + number;
    }

    private static async Task<int> CountsTailsAsync(int number)
    {
        if (number == 0)
            return await WorksOnAsync(number);
        return await CountsTailsAsync(number - 1);
    }

    private static async Task<int> WorksOnAsync(int number)
    {
        int sum = Marks.Here("worksOn") + await Never.Task;
        return sum + number;
    }

    private static async Task StoredAsync(int number)
    {
        await StoredTailAsync();
        GC.KeepAlive(number);
    }

    private static async Task StoredTailAsync() => await StoredInnerAsync();

    private static async Task StoredInnerAsync() => await Pending;

    private static async Task ConfiguredAsync(int number)
    {
        await ConfiguredTailAsync();
        GC.KeepAlive(number);
    }

    private static async Task ConfiguredTailAsync() => await ConfiguredInnerAsync();

    private static async Task ConfiguredInnerAsync() => await Pending.ConfigureAwait(false);

    private static async Task YieldsAsync(int number)
    {
        await YieldsTailAsync();
        GC.KeepAlive(number);
    }

    private static async Task YieldsTailAsync() => await YieldsInnerAsync();

    private static async Task YieldsInnerAsync() => await new Forever();

    private static async Task SharesAsync(Task shared)
    {
        await SharesTailAsync(shared);
        GC.KeepAlive(shared);
    }

    private static async Task SharesTailAsync(Task shared) => await SharesInnerAsync(shared);

    private static async Task SharesInnerAsync(Task shared) => await shared;

    private static async Task<int> InlinesOneAsync(int number)
    {
        int sum = Marks.Here("inlinesOne") + await InnermostAsync();
        return sum + number;
    }

    private static async Task VoidsAsync(int number)
    {
        await VoidAsync(number);
        GC.KeepAlive(number);
    }

    private static async Task VoidAsync(int number)
    {
        if (number > 0)
            await VoidAsync(number - 1);
        else
            await WorksOnAsync(number);
    }

    private static async Task<int> LocalAsync(int number)
    {
        int sum = await OuterAsync(1);
        return sum + number;

        async Task<int> OuterAsync(int one)
        {
            int sum = await InnerAsync(2);
            return sum + one;
        }

        async Task<int> InnerAsync(int two)
        {
            int sum = await Never.Task;
            return sum + two;
        }
    }

    private class Base
    {
        public virtual async Task<int> RunAsync(int number)
        {
            int sum = await Never.Task;
            return sum + number;
        }
    }

    private class Middle : Base
    {
        public override async Task<int> RunAsync(int number)
        {
            int sum = await base.RunAsync(number);
            return sum + number;
        }
    }

    private sealed class Inner : Middle
    {
        public override async Task<int> RunAsync(int number)
        {
            int sum = await base.RunAsync(number);
            return sum + number;
        }
    }

    private readonly struct Forever : INotifyCompletion
    {
        public bool IsCompleted => false;

        public Forever GetAwaiter() => this;

        public void OnCompleted(Action continuation) => Marks.Keep(continuation);

        public void GetResult()
        {
        }
    }
}
