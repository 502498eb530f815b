namespace Situations;

/// <summary>Generic code that is shared between types, called through what the runtime puts in front of it to say for which.</summary>
public static class Stubs
{
    private static readonly TaskCompletionSource<int> Never = new();

    public static void Start(int count)
    {
        Desk desk = new Till();
        IStand stand = new Stand<string>();
        Func<string, Task<string>> shared = SharedAsync, own = new Shop<object>().LendAsync;
        Marks.Keep(CallsAsync(desk, stand));
        Marks.Keep(InvokesAsync(shared));
        Marks.Keep(InvokesAsync(own));
        Marks.Keep(desk.AskAsync("a"));
        Marks.Keep(stand.SayAsync("a"));
        Marks.Keep(shared("a"));
        Thread.Sleep(300);
    }

    private static async Task CallsAsync(Desk desk, IStand stand)
    {
        GC.KeepAlive(Marks.Here("calls")); GC.KeepAlive(await Task.WhenAll(desk.AskAsync("b"), stand.SayAsync("b"), AsksAsync(desk), SaysAsync(stand)));
        GC.KeepAlive(desk);
    }

    private static async Task<string> AsksAsync(Desk desk)
    {
        GC.KeepAlive(Marks.Here("asks")); string answer = await desk.AskAsync("c");
        GC.KeepAlive(desk);
        return answer;
    }

    private static async Task<string> SaysAsync(IStand stand)
    {
        GC.KeepAlive(Marks.Here("says")); string answer = await stand.SayAsync("c");
        GC.KeepAlive(stand);
        return answer;
    }

    private static async Task<string> InvokesAsync(Func<string, Task<string>> call)
    {
        GC.KeepAlive(Marks.Here("invokes")); string answer = await call("d");
        GC.KeepAlive(call);
        return answer;
    }

    private static async Task<T> SharedAsync<T>(T value)
    {
        GC.KeepAlive(Marks.Here("shared")); await Never.Task;
        return value;
    }

    private abstract class Desk
    {
        public abstract Task<T> AskAsync<T>(T value);
    }

    private sealed class Till : Desk
    {
        public override async Task<T> AskAsync<T>(T value)
        {
            GC.KeepAlive(Marks.Here("till")); await Never.Task;
            return value;
        }
    }

    private interface IStand
    {
        Task<T> SayAsync<T>(T value);
    }

    private struct Stand<TGoods> : IStand
    {
        public async Task<T> SayAsync<T>(T value)
        {
            GC.KeepAlive(Marks.Here("stand")); await Never.Task;
            return value;
        }
    }

    private sealed class Shop<TGoods>
    {
        public async Task<string> LendAsync(string value)
        {
            GC.KeepAlive(Marks.Here("shop")); await Never.Task;
            return value;
        }
    }
}
