namespace Situations;

/// <summary>
/// Makes the order certain, however slow the machine is: each has what it takes before any of them wants more, and all of them wait when this returns.
/// </summary>
public static class Together
{
    private static readonly TaskCompletionSource All = new();

    /// <summary>Done when all methods of the situation were started.</summary>
    public static Task Met => All.Task;

    /// <summary>All were started: those that await <see cref="Met"/> go on in this thread, one after the other.</summary>
    public static void Meet() => All.SetResult();

    /// <summary>Starts methods in this thread; what they await before the meeting must be free.</summary>
    /// <param name="takers">Each awaits the task that it is given when it has what it takes.</param>
    public static void Start(params Func<Task, Task>[] takers)
    {
        // They go on in this thread, one after the other, when it is set.
        var all = new TaskCompletionSource();
        foreach (Func<Task, Task> taker in takers)
            Marks.Keep(taker(all.Task));
        all.SetResult();
    }
}
