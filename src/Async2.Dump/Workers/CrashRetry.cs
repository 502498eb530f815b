namespace Async2.Dump.Workers;

/// <summary>How often a target is read if the worker crashes: in a running process the cause may be gone a moment later.</summary>
internal static class CrashRetry
{
    /// <summary>The number of workers that may crash for one process; the last one leaves out the most frequent cause of crashes.</summary>
    public const int Limit = 4;

    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(100);

    /// <summary>Counts one more crash. A dump does not change: it is read once more, by the worker that leaves out the most.</summary>
    /// <param name="crashes">Crashes so far.</param>
    /// <param name="target">The user's TARGET.</param>
    public static int Next(int crashes, string target) => crashes == 0 && File.Exists(target) ? Limit - 1 : crashes + 1;

    /// <summary>How long to wait before the next worker.</summary>
    public static TimeSpan PauseAfter(int crashes) => Pause * crashes;
}
