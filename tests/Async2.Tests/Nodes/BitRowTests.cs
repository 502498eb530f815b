using Async2.Analysis.Nodes;

namespace Async2.Tests.Nodes;

public sealed class BitRowTests
{
    [Theory]
    [InlineData(0, 1)]
    [InlineData(63, 1)]
    [InlineData(63, 2)]
    [InlineData(64, 64)]
    [InlineData(5, 130)]
    [InlineData(199, 1)]
    public void All_bits_of_a_range_are_set_and_no_others(int first, int length)
    {
        var row = new BitRow(200);
        Assert.True(row.IsClear(0, 200));
        row.Set(first, length);
        Assert.True(first == 0 || row.IsClear(0, first));
        Assert.True(first + length == 200 || row.IsClear(first + length, 200 - first - length));
        for (int i = first; i < first + length; i++)
            Assert.False(row.IsClear(i, 1));
        Assert.False(row.IsClear(first, length));
    }

    [Fact]
    public void A_bit_is_set_once()
    {
        var row = new BitRow(65);
        Assert.True(row.Set(64));
        Assert.False(row.Set(64));
        Assert.True(row.IsClear(0, 64));
    }
}
