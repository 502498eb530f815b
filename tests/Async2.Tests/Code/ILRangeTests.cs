using Async2.Analysis.Code.DebugInfo;
using Async2.Tests.Support.Drawing;

namespace Async2.Tests.Code;

public sealed class ILRangeTests
{
    [Theory]
    // Before the first line, and without any, nothing is known.
    [InlineData("", 5, null)]
    [InlineData("0:prolog 10:0", 5, null)]
    [InlineData("0:prolog 10:0 40:11", 10, "0..11")]
    [InlineData("0:prolog 10:0 40:11", 39, "0..11")]
    [InlineData("0:prolog 10:0 40:11", 40, "11..")]
    // A mark of no IL stands in front of an await in optimised code: the line goes on behind it.
    [InlineData("0:prolog 10:0 20:none 40:11", 25, "0..11")]
    [InlineData("0:prolog 10:0 20:none 30:epilog 40:11", 35, "0..11")]
    // Code is not in IL order: the range ends at the next greater IL offset, wherever its code is.
    [InlineData("0:prolog 10:20 40:0 60:11 80:30", 15, "20..30")]
    [InlineData("0:prolog 10:20 40:0 60:11 80:30", 45, "0..11")]
    // Code of one line in two places.
    [InlineData("0:prolog 10:0 40:11 60:0", 65, "0..11")]
    public void A_native_offset_stands_for_a_range_of_IL(string bounds, uint native, string? range)
        => Assert.Equal(range, Show(ILRange.Covering(AwaitDrawing.Bounds(bounds), native)));

    [Theory]
    // call Pay (1), call Await (6): a bound may point to either, or between (ConfigureAwait).
    [InlineData(0, 11, true)]
    [InlineData(1, 6, true)]
    [InlineData(6, 11, true)]
    [InlineData(3, 5, true)]
    [InlineData(0, 1, false)]
    [InlineData(7, 20, false)]
    public void An_await_is_in_it_from_its_callee_to_its_helper(int low, int high, bool contains)
        => Assert.Equal(contains, new ILRange(low, high).Contains(AwaitDrawing.Sites("6 call Shop.A.Pay")[0]));

    [Theory]
    [InlineData(0, 6, false)]
    [InlineData(6, 7, true)]
    public void An_await_of_a_value_is_at_its_helper(int low, int high, bool contains)
        => Assert.Equal(contains, new ILRange(low, high).Contains(AwaitDrawing.Sites("6 value")[0]));

    private static string? Show(ILRange? range)
        => range is { } r ? $"{r.Low}..{(r.High == int.MaxValue ? "" : r.High.ToString(System.Globalization.CultureInfo.InvariantCulture))}" : null;
}
