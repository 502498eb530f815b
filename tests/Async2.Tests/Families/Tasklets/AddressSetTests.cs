using Async2.Analysis.Families.Tasklets;

namespace Async2.Tests.Families.Tasklets;

/// <summary>Addresses that were met are known, and no others.</summary>
public sealed class AddressSetTests
{
    [Fact]
    public void Each_address_is_new_once()
    {
        var set = new AddressSet();
        ulong[] addresses = [0, 8, 0x7f00_0000_0000, 0x7f00_0000_0040, 0x7f00_000f_fff8, 0x7f00_0010_0000, ulong.MaxValue - 7];

        Assert.All(addresses, address => Assert.True(set.Add(address)));
        Assert.All(addresses, address => Assert.False(set.Add(address)));
        Assert.All(addresses, address => Assert.True(set.Contains(address)));
        Assert.Equal(addresses.Length, set.Count);
    }

    [Fact]
    public void Neighbours_are_not_in_the_set()
    {
        var set = new AddressSet();
        set.Add(0x7f00_0000_0040);

        Assert.False(set.Contains(0x7f00_0000_0038));
        Assert.False(set.Contains(0x7f00_0000_0048));
        Assert.False(set.Contains(0x7e00_0000_0040));
    }
}
