namespace Situations;

/// <summary>Tasks that several wait for, combinators in combinators, WhenAny with a timeout, and a continuation.</summary>
public static class Sharing
{
    private static readonly TaskCompletionSource<int> Never = new();

    public static void Start(int count)
    {
        Task<int> shared = FetchAsync();
        Marks.Keep(FirstAsync(shared));
        Marks.Keep(SecondAsync(shared));
        Marks.Keep(AllAsync(shared));
        Marks.Keep(AnyAsync());
        Marks.Keep(AfterwardsAsync());
        Thread.Sleep(300);
    }

    private static async Task<int> FetchAsync() => await Never.Task.At("fetch") + 1;

    private static async Task FirstAsync(Task<int> shared) => GC.KeepAlive(await shared.At("first"));

    private static async Task SecondAsync(Task<int> shared) => GC.KeepAlive(await shared.At("second"));

    private static async Task AllAsync(Task<int> shared)
    {
        await Task.WhenAll(Task.CompletedTask, shared, Task.WhenAll(PartAsync(), PartAsync())).At("all");
        GC.KeepAlive(shared);
    }

    private static async Task PartAsync()
    {
        await Never.Task.At("part");
        GC.KeepAlive(Never);
    }

    private static async Task AnyAsync()
    {
        await Task.WhenAny(PartAsync(), Task.Delay(TimeSpan.FromHours(1))).At("any");
        GC.KeepAlive(Never);
    }

    private static async Task AfterwardsAsync()
    {
        await PartAsync().ContinueWith(_ => { }).At("afterwards");
        GC.KeepAlive(Never);
    }
}
