namespace Situations;

/// <summary>
/// Some operations never end, and more of them begin each time somebody asks; of others as many end as begin, or they come and go, or all end and more begin.
/// </summary>
public static class Leaking
{
    private static readonly List<TaskCompletionSource<int>> Guests = [], Runners = [];
    private static int _times;

    public static void Start(int count)
    {
        for (int i = 0; i < 7; i++)
            Marks.Keep(StayAsync(New()));
        Change();
        Thread.Sleep(200);
    }

    /// <summary>Five more are lost; guests are more each time but once; runners are always others, and two more than before.</summary>
    public static int Change()
    {
        _times++;
        for (int i = 0; i < 5; i++)
            Marks.Keep(LeakAsync(New()));
        Again(Guests, _times == 2 ? 3 : 7 + _times, VisitAsync);
        Again(Runners, 2 * _times, RunAsync);
        // Who ended goes on in the pool.
        Thread.Sleep(300);
        return _times;
    }

    private static void Again(List<TaskCompletionSource<int>> who, int count, Func<TaskCompletionSource<int>, Task> begin)
    {
        foreach (TaskCompletionSource<int> one in who)
            one.SetResult(0);
        who.Clear();
        for (int i = 0; i < count; i++)
        {
            who.Add(New());
            Marks.Keep(begin(who[^1]));
        }
    }

    private static TaskCompletionSource<int> New() => new(TaskCreationOptions.RunContinuationsAsynchronously);

    private static async Task StayAsync(TaskCompletionSource<int> end)
    {
        int answer = await end.Task.At("stays");
        Marks.Keep(answer);
    }

    private static async Task LeakAsync(TaskCompletionSource<int> end)
    {
        int answer = await end.Task.At("leaks");
        Marks.Keep(answer);
    }

    private static async Task VisitAsync(TaskCompletionSource<int> end)
    {
        int answer = await end.Task.At("visits");
        Marks.Keep(answer);
    }

    private static async Task RunAsync(TaskCompletionSource<int> end)
    {
        int answer = await end.Task.At("runs");
        Marks.Keep(answer);
    }
}
