namespace Async2.Dump.Workers;

/// <summary>How often a target is read whose reader crashes: what crashed the library may be gone a moment later, in a process that runs.</summary>
internal static class CrashRetry
{
    /// <summary>So many readers of a process may crash; with one less behind it, a reader leaves out what crashes the library most.</summary>
    public const int Limit = 4;

    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(100);

    /// <summary>Counts one more crash. A dump stays as it is: it is read once more, by the reader that leaves out most.</summary>
    /// <param name="crashes">Those before.</param>
    /// <param name="target">As it was named.</param>
    public static int Next(int crashes, string target) => crashes == 0 && File.Exists(target) ? Limit - 1 : crashes + 1;

    /// <summary>How long to wait before the next reader.</summary>
    public static TimeSpan PauseAfter(int crashes) => Pause * crashes;
}
