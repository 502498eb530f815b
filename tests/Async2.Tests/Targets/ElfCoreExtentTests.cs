using System.Buffers.Binary;
using Async2.Analysis.Targets.Elf;
using Async2.Tests.Support.Drawing;

namespace Async2.Tests.Targets;

/// <summary>How many bytes a core should have, by its own word; and words that cannot be true.</summary>
public sealed class ElfCoreExtentTests
{
    private const uint Load = 1;
    private const int OneHeader = ElfImage.HeaderSize + ElfImage.ProgramHeaderSize;

    [Fact]
    public void The_end_of_the_last_segment_counts_in_whatever_order_they_stand()
        => Assert.Equal(new CoreExtent(0x5000, IsWhole: true), Extent(new ElfImage().Segment(Load, 0x4000, 0x1000).Segment(Load, 0x1000, 0x2000)));

    [Fact]
    public void A_segment_without_bytes_in_the_file_does_not_count()
        => Assert.Equal(new CoreExtent(OneHeader, IsWhole: true), Extent(new ElfImage().Segment(Load, 1 << 30, 0)));

    [Fact]
    public void A_core_without_segments_is_its_header() => Assert.Equal(new CoreExtent(ElfImage.HeaderSize, IsWhole: true), Extent(new ElfImage()));

    [Fact]
    public void With_a_truncated_list_of_segments_it_is_a_lower_bound()
    {
        byte[] whole = new ElfImage().Segment(Load, 0x1000, 0x1000).Segment(Load, 0x2000, 0x9000).ToBytes();
        CoreExtent? extent = ElfCoreExtent.Expected(new MemoryStream(whole[..(OneHeader + 10)]));
        Assert.Equal(new CoreExtent(0x2000, IsWhole: false), extent);
    }

    [Fact]
    public void A_list_beyond_the_end_is_truncated()
        => Assert.Equal(new CoreExtent(0x100000 + ElfImage.ProgramHeaderSize, IsWhole: false), Extent(new ElfImage { Table = 0x100000 }.Segment(Load, 0, 1)));

    [Theory]
    [InlineData(ulong.MaxValue, 1)]
    [InlineData(1, ulong.MaxValue)]
    [InlineData(ulong.MaxValue, ulong.MaxValue)]
    [InlineData(1UL << 63, 1UL << 63)]
    public void Numbers_that_overflow_stay_huge(ulong offset, ulong size)
        => Assert.True(Extent(new ElfImage().Segment(Load, offset, size)) is { Bytes: > 1L << 60 });

    [Fact]
    public void A_list_at_an_address_that_overflows_is_rejected() => Assert.Null(Extent(new ElfImage { Table = ulong.MaxValue - 5 }.Segment(Load, 0, 1)));

    [Theory]
    [InlineData(0)]
    [InlineData(63)]
    public void Less_than_a_header_gives_nothing(int length) => Assert.Null(ElfCoreExtent.Expected(new MemoryStream(new ElfImage().ToBytes()[..length])));

    [Fact]
    public void A_core_of_32_bits_gives_nothing()
    {
        byte[] file = new ElfImage().ToBytes();
        file[4] = 1;
        Assert.Null(ElfCoreExtent.Expected(new MemoryStream(file)));
    }

    [Fact]
    public void More_segments_than_the_header_can_count_are_counted_in_the_first_section()
    {
        const int section = 0x200;
        ElfImage image = new ElfImage { Count = 0xffff, Sections = section }.Segment(Load, 0x1000, 0x1000).Segment(Load, 0x2000, 0x3000);
        Assert.Equal(new CoreExtent(0x5000, IsWhole: true), Extent(image.Content(section, Section(2))));
    }

    [Theory]
    [InlineData(0x200, uint.MaxValue)]
    [InlineData(0x200, 1u << 25)]
    public void An_impossible_count_is_rejected(int section, uint count)
        => Assert.Null(Extent(new ElfImage { Count = 0xffff, Sections = (ulong)section }.Segment(Load, 0, 1).Content(section, Section(count))));

    [Fact]
    public void A_truncated_first_section_is_ignored()
        => Assert.Null(Extent(new ElfImage { Count = 0xffff, Sections = 0x200 }.Segment(Load, 0, 1).Content(0x200, Section(1)[..20])));

    [Theory]
    [InlineData(0)]
    [InlineData(1UL << 40)]
    public void Without_a_first_section_the_count_is_taken_as_it_is(ulong sections)
        => Assert.Equal(new CoreExtent(ElfImage.HeaderSize + 0xffff * ElfImage.ProgramHeaderSize, IsWhole: false),
            Extent(new ElfImage { Count = 0xffff, Sections = sections }.Segment(Load, 0, 1)));

    private static CoreExtent? Extent(ElfImage image) => ElfCoreExtent.Expected(new MemoryStream(image.ToBytes()));

    // sh_info is at 44.
    private static byte[] Section(uint count)
    {
        byte[] section = new byte[64];
        BinaryPrimitives.WriteUInt32LittleEndian(section.AsSpan(44), count);
        return section;
    }
}
