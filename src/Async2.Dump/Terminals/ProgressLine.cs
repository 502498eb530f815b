using System.Globalization;
using Async2.Analysis;

namespace Async2.Dump.Terminals;

/// <summary>
/// One line on standard error that is overwritten as work goes on. Synchronous and on the caller's thread: an analysis of a
/// live process must not be left by its thread.
/// </summary>
internal sealed class ProgressLine(TextWriter? writer) : IProgress<AnalysisProgress>
{
    private static readonly TimeSpan Interval = TimeSpan.FromMilliseconds(100);
    private long _last;
    private string? _phase;
    private bool _shown;

    /// <inheritdoc/>
    public void Report(AnalysisProgress value)
    {
        long now = Environment.TickCount64;
        if (writer is null || (value.Phase == _phase && now - _last < Interval.TotalMilliseconds))
            return;
        (_last, _phase, _shown) = (now, value.Phase, true);
        string done = value.Fraction is double fraction ? " " + fraction.ToString("P0", CultureInfo.InvariantCulture) : "";
        writer.Write($"\r\u001b[2K{value.Phase}{done} ...");
    }

    /// <summary>Takes the line away, before anything else is written.</summary>
    public void Clear()
    {
        if (_shown)
            writer?.Write("\r\u001b[2K");
        _shown = false;
    }
}
