namespace Situations;

/// <summary>Tasks that somebody waited for and has left: losers of WhenAny that pile up, and the healthy ones of a debounce.</summary>
public static class Losers
{
    private static readonly List<TaskCompletionSource> Requests = [];

    public static void Start(int count)
    {
        for (int i = 0; i < 20; i++)
            Marks.Keep(Ask());
        for (int i = 0; i < 20; i++)
            Marks.Keep(Debounce());
        Thread.Sleep(500);
    }

    // The answer never comes, the limit does, and the request stays.
    private static async Task Ask()
    {
        Task request = Request();
        await Task.WhenAny(request, Task.Delay(50));
    }

    private static async Task Request()
    {
        var source = new TaskCompletionSource();
        lock (Requests)
            Requests.Add(source);
        await source.Task.At("loser-request");
    }

    // Each ends by its own timer.
    private static async Task Debounce() => await Task.WhenAny(Pause(), Task.Delay(50));

    private static async Task Pause() => await Task.Delay(TimeSpan.FromMinutes(1)).At("fine-pause");
}
