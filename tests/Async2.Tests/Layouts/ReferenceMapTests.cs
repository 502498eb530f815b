using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Targets.Memory;
using Async2.Tests.Support.Drawing;

namespace Async2.Tests.Layouts;

/// <summary>Where the references in an object are, from the words in front of its method table; also where these are damaged.</summary>
public sealed class ReferenceMapTests
{
    private const ulong MethodTable = 0x7f00_0000_2000;
    private const ulong ContainsReferences = 0x01000000;

    [Fact]
    public void Series_are_read()
        // 0x20 bytes of base and 5 words of data; references at 8, and at 0x20 and 0x28.
        => Assert.Equal([8, 0x20, 0x28], Map(0x48, Series(8, 8), Series(0x20, 16)).Offsets);

    [Fact]
    public void The_size_is_without_the_word_in_front() => Assert.Equal(0x40, Map(0x48, Series(8, 8)).Size);

    [Fact]
    public void A_type_without_references_has_only_its_size()
    {
        ReferenceMap map = ReferenceMap.Of(new TargetMemory(new WordMemory().Write(MethodTable, 0x28ul << 32)), MethodTable);
        Assert.Empty(map.Offsets);
        Assert.Equal(0x20, map.Size);
    }

    [Theory]
    // Behind the object; across its end; not at a word; before its first field; longer than all memory.
    [InlineData(0x48, 8)]
    [InlineData(0x38, 16)]
    [InlineData(0xc, 8)]
    [InlineData(0, 8)]
    [InlineData(8, -8)]
    [InlineData(8, long.MinValue)]
    public void An_impossible_series_gives_none(long start, long length) => Assert.Empty(Map(0x48, Series((ulong)start, unchecked((ulong)length))).Offsets);

    [Theory]
    [InlineData(0)]
    [InlineData(-1)]
    [InlineData(4097)]
    public void Too_many_series_give_none(long count)
    {
        var memory = new WordMemory().Write(MethodTable, ContainsReferences | (0x48ul << 32)).Write(MethodTable - 8, unchecked((ulong)count));
        Assert.Empty(ReferenceMap.Of(new TargetMemory(memory), MethodTable).Offsets);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(16)]
    [InlineData(0x4c)]
    [InlineData(0xFFFFFFF8)]
    public void An_impossible_size_gives_nothing(uint baseSize) => Assert.Equal(0, Map(baseSize, Series(8, 8)).Size);

    [Fact]
    public void Without_readable_memory_there_is_nothing() => Assert.Equal(0, ReferenceMap.Of(new TargetMemory(new WordMemory()), MethodTable).Size);

    private static (ulong Start, ulong Length) Series(ulong start, ulong length) => (start, length);

    private static ReferenceMap Map(uint baseSize, params (ulong Start, ulong Length)[] series)
    {
        var memory = new WordMemory().Write(MethodTable, ContainsReferences | ((ulong)baseSize << 32)).Write(MethodTable - 8, (ulong)series.Length);
        for (int i = 0; i < series.Length; i++)
            memory.Write(MethodTable - 8 - ((ulong)(i + 1) * 16), unchecked(series[i].Length - baseSize), series[i].Start);
        return ReferenceMap.Of(new TargetMemory(memory), MethodTable);
    }
}
