using Async2.Analysis.Nodes;

namespace Async2.Tests.Nodes;

/// <summary>Columns come out in the order of their addresses, each row whole.</summary>
public sealed class ColumnOrderTests
{
    [Theory]
    [InlineData("", "")]
    [InlineData("1", "1")]
    [InlineData("1 2 3", "1 2 3")]
    [InlineData("4 5 6 1 2 3", "1 2 3 4 5 6")]
    [InlineData("7 8 1 2 4 5", "1 2 4 5 7 8")]
    [InlineData("1 3 5 2 4 6", "1 2 3 4 5 6")]
    [InlineData("3 2 1", "1 2 3")]
    [InlineData("2 9 3 1", "1 2 3 9")]
    public void Rows_are_in_order_and_stay_together(string before, string after)
    {
        ulong[] addresses = [.. before.Split(' ', StringSplitOptions.RemoveEmptyEntries).Select(ulong.Parse)];
        string[] others = [.. addresses.Select(a => $"row {a}")];
        ColumnOrder? order = ColumnOrder.Of(addresses);

        ulong[] ordered = order?.Apply(addresses) ?? addresses;

        Assert.Equal(after, string.Join(" ", ordered));
        Assert.Equal(ordered.Select(a => $"row {a}"), order?.Apply(others) ?? others);
    }
}
