namespace Demo;

/// <summary>Two clerks, each of whom waits until the other is done: a deadlock, to prove that a gate can fail.</summary>
internal static class Jam
{
    private static readonly TaskCompletionSource Start = new();
    private static Task? left;
    private static Task? right;

    /// <summary>Starts both; neither ever ends.</summary>
    public static IEnumerable<Task> Begin()
    {
        left = LeftAsync();
        right = RightAsync();
        Start.SetResult();
        return [left, right];
    }

    private static async Task LeftAsync()
    {
        await Start.Task;
        await right!;
        GC.KeepAlive(Start);
    }

    private static async Task RightAsync()
    {
        await Start.Task;
        await left!;
        GC.KeepAlive(Start);
    }
}
