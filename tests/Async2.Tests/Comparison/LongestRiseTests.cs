using Async2.Analysis.Operations;

namespace Async2.Tests.Comparison;

public sealed class LongestRiseTests
{
    [Theory]
    [InlineData("", "")]
    [InlineData("1 2 3", "0 1 2")]
    [InlineData("1 9 2 3", "0 2 3")]
    [InlineData("5 5 5", "0 1 2")]
    [InlineData("9 8 1 2 7 3", "2 3 5")]
    public void As_few_as_possible_are_left_out(string values, string expected)
        => Assert.Equal(expected, string.Join(' ', LongestRise.Of([.. values.Split(' ', StringSplitOptions.RemoveEmptyEntries).Select(ulong.Parse)])));
}
