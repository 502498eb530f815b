using Async2.Analysis.Targets.Memory;
using Async2.Tests.Support.Drawing;

namespace Async2.Tests.Targets;

/// <summary>Reads across pages, holes and the end of the address space: all bytes, or the word that they are not there.</summary>
public sealed class TargetMemoryTests
{
    private const ulong Page = 1 << 14;
    private const ulong Base = 0x7f0000000000;

    private readonly DrawnMemory _memory = new();

    [Theory]
    [InlineData(0, 8)]
    [InlineData(-4, 8)]
    [InlineData(-1, 2)]
    [InlineData(-8, 8)]
    [InlineData(100, 3 * 16384)]
    public void A_read_may_cross_pages(long fromEdge, int length)
    {
        _memory.Map(Base, 8 * (int)Page);
        byte[] buffer = new byte[length];
        ulong address = Base + 2 * Page + (ulong)fromEdge;
        Assert.True(Target().TryRead(address, buffer));
        Assert.Equal(DrawnMemory.Expected(address, length), buffer);
    }

    [Fact]
    public void A_read_that_ends_in_a_hole_fails()
    {
        _memory.Map(Base, 100);
        TargetMemory target = Target();
        Assert.True(target.TryRead(Base + 92, new byte[8]));
        Assert.False(target.TryRead(Base + 93, new byte[8]));
        Assert.False(target.TryRead(Base + 100, new byte[1]));
        Assert.False(target.TryRead(Base + Page, new byte[1]));
    }

    [Fact]
    public void A_hole_between_two_pages_is_not_jumped()
    {
        _memory.Map(Base, (int)Page - 8);
        _memory.Map(Base + Page, (int)Page);
        TargetMemory target = Target();
        Assert.False(target.TryRead(Base + Page - 12, new byte[16]));
        Assert.True(target.TryRead(Base + Page, new byte[16]));
    }

    [Fact]
    public void Memory_that_begins_in_the_middle_of_a_page_is_read()
    {
        _memory.Map(Base + 0x1000, 0x1000);
        byte[] buffer = new byte[16];
        Assert.True(Target().TryRead(Base + 0x1800, buffer));
        Assert.Equal(DrawnMemory.Expected(Base + 0x1800, 16), buffer);
        Assert.False(Target().TryRead(Base + 0xff8, new byte[16]));
    }

    [Fact]
    public void The_end_of_the_address_space_is_an_end()
    {
        _memory.Map(ulong.MaxValue - Page + 1, (int)Page);
        _memory.Map(0, (int)Page);
        TargetMemory target = Target();
        Assert.True(target.TryRead(ulong.MaxValue - 7, new byte[8]));
        Assert.False(target.TryRead(ulong.MaxValue - 3, new byte[8]));
        Assert.False(target.TryReadPointer(ulong.MaxValue, out ulong pointer));
        Assert.Equal(0ul, pointer);
        Assert.Equal(8, target.ReadUpTo(ulong.MaxValue - 7, new byte[16]));
    }

    [Fact]
    public void Nothing_is_read_if_nothing_is_wanted() => Assert.True(Target().TryRead(0xdead, []));

    [Fact]
    public void Pages_that_share_a_slot_do_not_share_content()
    {
        const ulong slots = 2048;
        _memory.Map(Base, 64);
        _memory.Map(Base + slots * Page, 64);
        TargetMemory target = Target();
        foreach (ulong address in (ulong[])[Base, Base + slots * Page, Base])
        {
            Assert.True(target.TryReadUInt32(address, out uint value));
            Assert.Equal(BitConverter.ToUInt32(DrawnMemory.Expected(address, 4)), value);
        }
    }

    [Theory]
    [InlineData(4)]
    [InlineData(8)]
    public void A_pointer_has_the_targets_size(int size)
    {
        _memory.PointerSize = size;
        _memory.Map(Base, size);
        Assert.True(Target().TryReadPointer(Base, out ulong value));
        Assert.Equal(BitConverter.ToUInt64([.. DrawnMemory.Expected(Base, size), .. new byte[8 - size]]), value);
        Assert.False(Target().TryReadPointer(Base + 1, out _));
    }

    [Fact]
    public void A_block_is_complete_and_valid_or_missing()
    {
        _memory.Map(Base, 1000);
        TargetMemory target = Target();
        Assert.Equal(DrawnMemory.Expected(Base, 1000), target.TryReadBlock(Base, 1000, limit: 1000) ?? []);
        Assert.Null(target.TryReadBlock(Base, 1001, limit: 2000));
        Assert.Null(target.TryReadBlock(Base, 1000, limit: 999));
        Assert.Null(target.TryReadBlock(Base, ulong.MaxValue, limit: int.MaxValue));
        Assert.Null(target.TryReadBlock(0, 10, limit: 100));
        Assert.Empty(target.TryReadBlock(Base, 0, limit: 100) ?? [1]);
    }

    [Fact]
    public void A_reader_that_returns_few_bytes_is_called_again()
    {
        _memory.AtOnce = 3;
        _memory.Map(Base, 100);
        byte[] buffer = new byte[100];
        Assert.Equal(100, Target().ReadUpTo(Base, buffer));
        Assert.Equal(DrawnMemory.Expected(Base, 100), buffer);
    }

    [Theory]
    [InlineData(typeof(IOException))]
    [InlineData(typeof(InvalidOperationException))]
    [InlineData(typeof(OverflowException))]
    [InlineData(typeof(ArgumentOutOfRangeException))]
    public void A_reader_that_throws_has_no_bytes(Type exception)
    {
        _memory.Throws = (Exception)Activator.CreateInstance(exception)!;
        Assert.False(Target().TryRead(Base, new byte[8]));
        Assert.Equal(0, Target().ReadUpTo(Base, new byte[8]));
    }

    private TargetMemory Target() => new(_memory);
}
