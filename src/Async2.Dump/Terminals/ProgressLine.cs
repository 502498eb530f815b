using System.Globalization;
using Async2.Analysis.Rendering.Text;
using Async2.Analysis.Targets.Contract;

namespace Async2.Dump.Terminals;

/// <summary>
/// One line on standard error that is overwritten as work proceeds, once it has taken a second. Reports are drawn on the thread
/// that makes them: an analysis of a live process must stay on its thread. A timer draws a report that came too early.
/// </summary>
internal sealed class ProgressLine : IProgress<AnalysisProgress>, IDisposable
{
    private const string ClearLine = "\r\u001b[2K";

    private static readonly TimeSpan ShowDelay = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan Interval = TimeSpan.FromMilliseconds(100);

    private readonly Lock _lock = new();
    private readonly TextWriter? _writer;
    private readonly int _columns;
    private readonly TimeProvider _clock;
    private readonly ITimer? _timer;
    private readonly long _start;
    private AnalysisProgress _first, _current;
    private long _phaseStart, _drawn;
    private bool _shown;

    /// <summary>Starts to measure the first second.</summary>
    /// <param name="writer">A terminal; null for no output.</param>
    /// <param name="width">Its columns, if known.</param>
    /// <param name="clock">The clock.</param>
    public ProgressLine(TextWriter? writer, int? width, TimeProvider clock)
    {
        // The cursor has to stay on the line, so the last column stays free.
        (_writer, _columns, _clock, _start) = (writer, (width ?? int.MaxValue) - 1, clock, clock.GetTimestamp());
        if (writer is not null)
            _timer = clock.CreateTimer(_ => DrawCurrent(), null, ShowDelay, Timeout.InfiniteTimeSpan);
    }

    /// <inheritdoc/>
    public void Report(AnalysisProgress value)
    {
        if (_writer is null)
            return;
        lock (_lock)
        {
            long now = _clock.GetTimestamp();
            bool isNew = value.Phase != _current.Phase;
            if (isNew)
                (_first, _phaseStart) = (value, now);
            _current = value;
            if (_clock.GetElapsedTime(_start, now) >= ShowDelay && (isNew || _clock.GetElapsedTime(_drawn, now) >= Interval))
                Draw(now);
        }
    }

    /// <summary>Clears the line, before other output is written.</summary>
    public void Clear()
    {
        lock (_lock)
        {
            if (_shown)
                _writer?.Write(ClearLine);
            (_shown, _current) = (false, default);
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _timer?.Dispose();
        Clear();
    }

    private void DrawCurrent()
    {
        lock (_lock)
        {
            if (_current.Phase is not null)
                Draw(_clock.GetTimestamp());
        }
    }

    private void Draw(long now)
    {
        string done = _current.Fraction is double fraction ? " " + fraction.ToString("P0", CultureInfo.InvariantCulture) : "";
        _writer!.Write(ClearLine + TextColumns.Cut($"{_current.Phase}{done}{Rate(now)} ...", _columns));
        (_drawn, _shown) = (now, true);
    }

    private string Rate(long now)
    {
        double seconds = _clock.GetElapsedTime(_phaseStart, now).TotalSeconds;
        long objects = (_current.Objects ?? 0) - (_first.Objects ?? 0);
        return seconds > 0 && objects > 0 ? $", {Short(objects / seconds)} objects/s" : "";
    }

    // Two digits at least: 3.1 M, 31 M, 310 k.
    private static string Short(double number) => number switch
    {
        >= 9.95e6 => (number / 1e6).ToString("F0", CultureInfo.InvariantCulture) + " M",
        >= 999.5e3 => (number / 1e6).ToString("F1", CultureInfo.InvariantCulture) + " M",
        >= 9.95e3 => (number / 1e3).ToString("F0", CultureInfo.InvariantCulture) + " k",
        >= 999.5 => (number / 1e3).ToString("F1", CultureInfo.InvariantCulture) + " k",
        _ => number.ToString("F0", CultureInfo.InvariantCulture),
    };
}
