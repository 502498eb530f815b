using System.Diagnostics;
using Async2.Analysis.Targets.Contract;

namespace Async2.Benchmarks.Peers;

/// <summary>Turns the progress that an analysis reports into a time for each of its phases.</summary>
internal sealed class PhaseClock : IProgress<AnalysisProgress>
{
    private readonly Dictionary<string, TimeSpan> _times = [];
    private string _phase = "starting";
    private long _since = Stopwatch.GetTimestamp();

    public IEnumerable<(string Phase, TimeSpan Time)> Times => _times.Select(pair => (pair.Key, pair.Value));

    public void Report(AnalysisProgress value)
    {
        if (value.Phase == _phase)
            return;
        Stop();
        _phase = value.Phase;
    }

    /// <summary>Ends the phase that runs.</summary>
    public void Stop()
    {
        long now = Stopwatch.GetTimestamp();
        _times[_phase] = _times.GetValueOrDefault(_phase) + Stopwatch.GetElapsedTime(_since, now);
        _since = now;
    }
}
