using Async2.Analysis.Code.DebugInfo;
using Async2.Tests.Support.Drawing;

namespace Async2.Tests.Code;

public sealed class NibbleReaderTests
{
    [Fact]
    public void Numbers_are_read_as_they_were_written()
    {
        uint[] numbers = [0, 1, 7, 8, 63, 64, 0x1234_5678, 0x7FFF_FFFF, 0xFFFF_FFFF, 5];
        var reader = new NibbleReader(DebugInfoWriter.Nibbles(numbers));
        foreach (uint number in numbers)
            Assert.Equal(number, reader.ReadUInt32());
        Assert.True(reader.IsValid);
    }

    [Theory]
    [InlineData(new byte[] { 0x07 }, 7u, 1)]
    [InlineData(new byte[] { 0x29 }, 10u, 1)]
    [InlineData(new byte[] { 0x99, 0x02 }, 74u, 2)]
    public void The_low_nibble_is_first_and_the_first_three_bits_weigh_most(byte[] bytes, uint number, int end)
    {
        var reader = new NibbleReader(bytes);
        Assert.Equal(number, reader.ReadUInt32());
        Assert.Equal(end, reader.ByteIndex);
    }

    [Theory]
    [InlineData(new byte[0])]
    [InlineData(new byte[] { 0x99 })]
    [InlineData(new byte[] { 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF })]
    public void A_number_without_an_end_is_rejected(byte[] bytes)
    {
        var reader = new NibbleReader(bytes);
        Assert.Equal(0u, reader.ReadUInt32());
        Assert.False(reader.IsValid);
    }
}
