namespace Async2.Dump.Watching;

/// <summary>
/// How often to look: as the user says; else once a second, and less often if the process would be stopped for more than a hundredth of the time, or if a look
/// would take more than a hundredth of processors that others want.
/// </summary>
/// <param name="wanted">Between the starts of two looks; null for the default.</param>
internal sealed class WatchPace(TimeSpan? wanted)
{
    private const double StoppedShare = 0.01;
    private const double BusyShare = 0.01;

    // A server that does all it can leaves its processors idle now and then, and yet is slower for whatever runs beside it.
    private const double NeverUsed = 0.05;

    // One stop that took long, because the machine was busy, says little.
    private const int Remembered = 5;

    private static readonly TimeSpan Default = TimeSpan.FromSeconds(1);

    private readonly Queue<TimeSpan> _stops = [];

    /// <summary>A look that would take a processor from others comes so much later at most.</summary>
    public static TimeSpan Longest { get; } = TimeSpan.FromMinutes(1);

    /// <summary>The same after the first look: what starting took says little of the next one.</summary>
    public static TimeSpan LongestAtFirst { get; } = TimeSpan.FromSeconds(10);

    /// <summary>From the start of a look to that of the next one.</summary>
    /// <param name="stopped">For how long the look stopped the process.</param>
    public TimeSpan After(TimeSpan stopped)
    {
        _stops.Enqueue(stopped);
        if (_stops.Count > Remembered)
            _stops.Dequeue();
        return wanted ?? TimeSpan.FromTicks(Math.Max(Default.Ticks, (long)(_stops.Average(stop => stop.Ticks) / StoppedShare)));
    }

    /// <summary>Whether a look may follow, as far as processors go: nobody wanted them for as long as a look takes, or a look is a hundredth of what they could do meanwhile.</summary>
    /// <param name="cost">Processor time of the last look.</param>
    /// <param name="since">What processors could do since its end, and did not; null if the system does not say.</param>
    /// <param name="waited">Since its end.</param>
    public bool Allows(TimeSpan cost, ProcessorTime? since, TimeSpan waited)
        => wanted is not null || since is not { } time || waited >= (_stops.Count > 1 ? Longest : LongestAtFirst)
            || cost <= time.Possible * BusyShare || cost <= time.Idle - (time.Possible * NeverUsed);
}
