using System.Globalization;
using Async2.Analysis.Formatting;
using Async2.Analysis.Model;

namespace Async2.Tests.Formatting;

public sealed class WaitNumbersTests
{
    [Theory]
    [InlineData(-5, "0 ms")]
    [InlineData(0, "0 ms")]
    [InlineData(999, "999 ms")]
    [InlineData(1_000, "1 s")]
    [InlineData(4_250, "4.2 s")]
    [InlineData(59_990, "59.9 s")]
    [InlineData(60_000, "60 s")]
    [InlineData(120_000, "2 min")]
    [InlineData(3_597_000, "59 min 57 s")]
    [InlineData(5_400_000, "90 min")]
    [InlineData(9_000_000, "2 h 30 min")]
    [InlineData(360_000_000, "4 d 4 h")]
    [InlineData(long.MaxValue, "106751991167 d 7 h")]
    public void Durations_are_short(long milliseconds, string expected) => Assert.Equal(expected, WaitNumbers.Duration(milliseconds));

    [Theory]
    [InlineData(1, "1st")]
    [InlineData(2, "2nd")]
    [InlineData(3, "3rd")]
    [InlineData(4, "4th")]
    [InlineData(11, "11th")]
    [InlineData(12, "12th")]
    [InlineData(13, "13th")]
    [InlineData(21, "21st")]
    [InlineData(112, "112th")]
    [InlineData(1_000_001, "1000001st")]
    public void Places_are_formatted_as_ordinals(long number, string expected) => Assert.Equal(expected, WaitNumbers.Ordinal(number));

    [Fact]
    public void Counts_have_their_plural()
        => Assert.Equal(["0 items", "1 item", "2 items", "1 reader waiting", "2 readers waiting"],
            [WaitNumbers.Count(0, "item"), WaitNumbers.Count(1, "item"), WaitNumbers.Count(2, "item"), WaitNumbers.Count(1, "reader waiting", "readers waiting"), WaitNumbers.Count(2, "reader waiting", "readers waiting")]);

    [Fact]
    public void Missing_parts_leave_no_comma()
    {
        Assert.Equal("a, b", WaitNumbers.Join(null, "a", null, "b"));
        Assert.Null(WaitNumbers.Join(null, null));
    }

    [Fact]
    public void The_culture_does_not_matter()
    {
        CultureInfo before = CultureInfo.CurrentCulture;
        try
        {
            CultureInfo.CurrentCulture = new CultureInfo("") { NumberFormat = new NumberFormatInfo { NegativeSign = "~", NumberDecimalSeparator = "," } };
            Assert.Equal("4.2 s", WaitNumbers.Duration(4_250));
            Assert.Equal("-3 items", WaitNumbers.Count(-3, "item"));
        }
        finally
        {
            CultureInfo.CurrentCulture = before;
        }
    }

    [Theory]
    [InlineData(10_000, 5_800, true, "due in 4.2 s")]
    [InlineData(10_000, 10_000, true, "due in 0 ms")]
    [InlineData(10_000, 10_050, true, "due now")]
    [InlineData(10_000, 12_000, true, "overdue by 2 s")]
    [InlineData(10_000, 5_800, false, "due in at most 4.2 s")]
    [InlineData(10_000, 12_000, false, "overdue by at least 2 s")]
    public void A_timer_shows_when_it_is_due(long fires, long tick, bool isNow, string expected) => Assert.Equal(expected, FactFormatter.Of([new(WaitFactKey.DueIn, fires - tick) { IsBound = !isNow }]));
}
