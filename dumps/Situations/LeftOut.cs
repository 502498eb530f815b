using System.Runtime.CompilerServices;

namespace Situations;

/// <summary>Calls of which optimised code leaves no frame in memory: awaits with which methods end, and recursion that became a jump.</summary>
public static class LeftOut
{
    private static readonly TaskCompletionSource<int> Never = new();
    private static readonly Task Pending = Never.Task;

    public static void Start(int count)
    {
        Marks.Keep(OnlyTailsAsync(1));
        Marks.Keep(OnlyTailDelayAsync(1));
        Marks.Keep(WaitsForTailsAsync(OnlyTailsAsync(2)));
        Marks.Keep(InlinesTailsAsync(1));
        Marks.Keep(CountsDownAsync(4));
        Marks.Keep(CallsTheCounterAsync(4));
        Marks.Keep(CountsTailsAsync(4));
        Marks.Keep(VoidsAsync(4));
        Marks.Keep(StoredAsync());
        Marks.Keep(ConfiguredAsync());
        Marks.Keep(YieldsAsync());
        Marks.Keep(SometimesAsync(1));
        Marks.Keep(CallsSometimesAsync(1));
        Marks.Keep(SharesAsync(HoldsAsync(9)));
        Marks.Keep(Shelf<string>.AsksAsync("a"));
        Marks.Keep(Shelf<int>.AsksAsync(1));
        Marks.Keep(new Shelf<object>().CountsAsync(1));
        Marks.Keep(new Shelf<Guid>.Board().HangsAsync(1));
        Marks.Keep(LendsAsync("a"));
        Thread.Sleep(300);
    }

    // Three frames, and all end in an await: none is in memory.
    private static async Task<int> OnlyTailsAsync(int number) => await MiddleTailAsync(number);

    // Outermost in generic code, which is in no list of the runtime's: nothing is missing.
    private static async Task<int> LendsAsync<T>(T thing)
    {
        int sum = Marks.Here("lends") + await Never.Task;
        GC.KeepAlive(thing);
        return sum;
    }

    private static async Task<int> MiddleTailAsync(int number) => await InnerTailAsync(number);

    private static async Task<int> InnerTailAsync(int number) => await Never.Task;

    private static async Task OnlyTailDelayAsync(int number) => await Task.Delay(TimeSpan.FromHours(number));

    // What it waits for is there, and shown, although it has no frames.
    private static async Task WaitsForTailsAsync(Task<int> tails)
    {
        GC.KeepAlive(await tails.At("waitsForTails"));
    }

    private static async Task<int> InlinesTailsAsync(int number)
    {
        int sum = Marks.Here("inlinesTails") + await OnlyTailsAsync(number);
        return sum + number;
    }

    // Five frames of one method, each with its own continuation.
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

    // Five calls of one method that are a loop in optimised code.
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

    private static async Task VoidsAsync(int number)
    {
        GC.KeepAlive(Marks.Here("voids")); await VoidAsync(number);
        GC.KeepAlive(number);
    }

    private static async Task VoidAsync(int number)
    {
        if (number > 0)
            await VoidAsync(number - 1);
        else
            await WorksOnAsync(number);
    }

    private static async Task StoredAsync()
    {
        GC.KeepAlive(Marks.Here("stored")); await StoredTailAsync();
        GC.KeepAlive(Pending);
    }

    private static async Task StoredTailAsync() => await StoredInnerAsync();

    private static async Task StoredInnerAsync() => await Pending;

    private static async Task ConfiguredAsync()
    {
        GC.KeepAlive(Marks.Here("configured")); await ConfiguredTailAsync();
        GC.KeepAlive(Pending);
    }

    private static async Task ConfiguredTailAsync() => await ConfiguredInnerAsync();

    private static async Task ConfiguredInnerAsync() => await Pending.ConfigureAwait(false);

    private static async Task YieldsAsync()
    {
        GC.KeepAlive(Marks.Here("yields")); await YieldsTailAsync();
        GC.KeepAlive(Pending);
    }

    private static async Task YieldsTailAsync() => await YieldsInnerAsync();

    private static async Task YieldsInnerAsync() => await new Forever();

    // Called for its task, and by a method that ends with it: which of the two it was is not in memory.
    private static async Task<int> SometimesAsync(int number)
    {
        int sum = Marks.Here("sometimes") + await Never.Task;
        return sum + number;
    }

    private static async Task<int> CallsSometimesAsync(int number) => await SometimesAsync(number);

    private static async Task<int> HoldsAsync(int number)
    {
        int sum = Marks.Here("holds") + await Never.Task;
        return sum + number;
    }

    private static async Task SharesAsync(Task shared)
    {
        GC.KeepAlive(Marks.Here("shares")); await SharesTailAsync(shared);
        GC.KeepAlive(shared);
    }

    private static async Task SharesTailAsync(Task shared) => await SharesInnerAsync(shared);

    private static async Task SharesInnerAsync(Task shared) => await shared;

    private readonly struct Forever : INotifyCompletion
    {
        public bool IsCompleted => false;

        public Forever GetAwaiter() => this;

        public void OnCompleted(Action continuation) => Marks.Keep(continuation);

        public void GetResult()
        {
        }
    }

    private sealed class Shelf<T>
    {
        public static async Task<int> AsksAsync(T thing)
        {
            int sum = Marks.Here("asks") + await Never.Task;
            GC.KeepAlive(thing);
            return sum;
        }

        public async Task<int> CountsAsync(int number)
        {
            int sum = Marks.Here("counts") + await Never.Task;
            GC.KeepAlive(this);
            return sum + number;
        }

        public sealed class Board
        {
            public async Task<int> HangsAsync(int number)
            {
                int sum = Marks.Here("hangs") + await Never.Task;
                GC.KeepAlive(this);
                return sum + number;
            }
        }
    }
}
