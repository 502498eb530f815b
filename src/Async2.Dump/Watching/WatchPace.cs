namespace Async2.Dump.Watching;

/// <summary>How often to look: as the user says, else once a second, and less often if the process would be stopped for more than a hundredth of the time.</summary>
/// <param name="wanted">Between the starts of two looks; null for the default.</param>
internal sealed class WatchPace(TimeSpan? wanted)
{
    private const double StoppedShare = 0.01;

    // One stop that took long, because the machine was busy, says little.
    private const int Remembered = 5;

    private static readonly TimeSpan Default = TimeSpan.FromSeconds(1);

    private readonly Queue<TimeSpan> _stops = [];

    /// <summary>From the start of a look to that of the next one.</summary>
    /// <param name="stopped">For how long the look stopped the process.</param>
    public TimeSpan After(TimeSpan stopped)
    {
        _stops.Enqueue(stopped);
        if (_stops.Count > Remembered)
            _stops.Dequeue();
        return wanted ?? TimeSpan.FromTicks(Math.Max(Default.Ticks, (long)(_stops.Average(stop => stop.Ticks) / StoppedShare)));
    }
}
