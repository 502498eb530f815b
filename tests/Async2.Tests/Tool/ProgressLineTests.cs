using Async2.Analysis.Targets.Contract;
using Async2.Dump.Terminals;
using Async2.Tests.Support.Drawing;

namespace Async2.Tests.Tool;

/// <summary>What a person in front of a terminal sees of work that takes long, by a clock of the test's own.</summary>
public sealed class ProgressLineTests : IDisposable
{
    private const string ClearLine = "\r\u001b[2K";

    private readonly StringWriter _terminal = new();
    private readonly HandClock _clock = new();

    [Fact]
    public void Nothing_is_shown_before_a_second_has_passed()
    {
        using ProgressLine line = Line();
        line.Report(new AnalysisProgress("opening", null));
        _clock.Advance(990);
        line.Report(new AnalysisProgress("reading the heap", 0.4));
        Assert.Equal("", _terminal.ToString());
        line.Dispose();
        Assert.Equal("", _terminal.ToString());
    }

    [Fact]
    public void An_early_report_is_shown_after_the_first_second()
    {
        using ProgressLine line = Line();
        line.Report(new AnalysisProgress("writing the dump", null));
        _clock.Advance(1000);
        Assert.Equal(ClearLine + "writing the dump ...", _terminal.ToString());
    }

    [Fact]
    public void Phase_percent_and_rate()
    {
        using ProgressLine line = Line();
        _clock.Advance(1000);
        line.Report(new AnalysisProgress("reading the heap", 0, 0));
        _clock.Advance(500);
        line.Report(new AnalysisProgress("reading the heap", 0.43, 15_500_000));
        Assert.EndsWith(ClearLine + "reading the heap 43 %, 31 M objects/s ...", _terminal.ToString());
    }

    [Theory]
    [InlineData(7, "7 objects/s")]
    [InlineData(4_200, "4.2 k objects/s")]
    [InlineData(42_400, "42 k objects/s")]
    [InlineData(999_600, "1.0 M objects/s")]
    [InlineData(310_000_000, "310 M objects/s")]
    public void Rates_are_short(long perSecond, string expected)
    {
        using ProgressLine line = Line();
        line.Report(new AnalysisProgress("reading", null, 0));
        _clock.Advance(1000);
        _clock.Advance(1000);
        line.Report(new AnalysisProgress("reading", null, 2 * perSecond));
        Assert.EndsWith($"reading, {expected} ...", _terminal.ToString());
    }

    [Fact]
    public void Ten_times_a_second_is_enough()
    {
        using ProgressLine line = Line();
        _clock.Advance(1000);
        for (int i = 0; i < 1000; i++)
        {
            line.Report(new AnalysisProgress("reading the heap", i / 1000.0));
            _clock.Advance(1);
        }
        Assert.InRange(_terminal.ToString().Split(ClearLine).Length - 1, 9, 11);
    }

    [Theory]
    [InlineData(80)]
    [InlineData(24)]
    [InlineData(3)]
    [InlineData(1)]
    public void It_is_never_wider_than_the_terminal(int width)
    {
        using ProgressLine line = Line(width);
        _clock.Advance(1000);
        line.Report(new AnalysisProgress("reading the heap of a process with a long name", 0.123, 0));
        _clock.Advance(1000);
        line.Report(new AnalysisProgress("reading the heap of a process with a long name", 0.5, 123_456_789));
        Assert.All(_terminal.ToString().Split(ClearLine), text => Assert.InRange(text.Length, 0, width - 1));
    }

    [Fact]
    public void It_is_cleared_once_and_shown_again_with_the_next_report()
    {
        using ProgressLine line = Line();
        _clock.Advance(1000);
        line.Report(new AnalysisProgress("writing the dump", null));
        line.Clear();
        line.Clear();
        line.Report(new AnalysisProgress("reading the heap", null));
        Assert.Equal($"{ClearLine}writing the dump ...{ClearLine}{ClearLine}reading the heap ...", _terminal.ToString());
    }

    [Fact]
    public void Cleared_in_the_first_second_it_stays_hidden()
    {
        using ProgressLine line = Line();
        line.Report(new AnalysisProgress("looking at 3 processes", null));
        line.Clear();
        _clock.Advance(5000);
        Assert.Equal("", _terminal.ToString());
    }

    public void Dispose() => _terminal.Dispose();

    private ProgressLine Line(int? width = null) => new(_terminal, width, _clock);
}
