using Async2.Analysis.Targets.Memory;

namespace Async2.Tests.Targets;

public sealed class AddressRangesTests
{
    private static readonly ImageRange[] Ranges = [new(0x1000, 0x1000, 0), new(0x2000, 0x800, 0), new(0x4000, 0x10, 0), new(ulong.MaxValue - 0x10, 0x10, 0)];

    [Theory]
    [InlineData(0ul, -1, 0)]
    [InlineData(0xFFFul, -1, 0)]
    [InlineData(0x1000ul, 0, 1)]
    [InlineData(0x1FFFul, 0, 1)]
    [InlineData(0x2000ul, 1, 2)]
    [InlineData(0x2800ul, -1, 2)]
    [InlineData(0x3FFFul, -1, 2)]
    [InlineData(0x400Ful, 2, 3)]
    [InlineData(0x4010ul, -1, 3)]
    [InlineData(ulong.MaxValue - 1, 3, 4)]
    [InlineData(ulong.MaxValue, -1, 4)]
    public void An_address_is_in_one_range_or_none(ulong address, int containing, int behind)
    {
        Assert.Equal(containing, AddressRanges.IndexOf<ImageRange>(Ranges, address));
        Assert.Equal(behind, AddressRanges.IndexBehind<ImageRange>(Ranges, address));
    }

    [Fact]
    public void Nothing_is_in_no_range()
    {
        Assert.Equal(-1, AddressRanges.IndexOf<ImageRange>([], 0));
        Assert.Equal(0, AddressRanges.IndexBehind<ImageRange>([], 0));
    }
}
