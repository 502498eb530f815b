using Async2.Analysis.Code.DebugInfo;
using Async2.Tests.Support.Drawing;

namespace Async2.Tests.Code;

public sealed class NativeDebugInfoTests
{
    private const ulong Address = 0x7f00_0000_1234;

    private static readonly ILMappingEntry[] Some = AwaitDrawing.Bounds("0:prolog 10:0 20:none 40:11 60:epilog");

    [Fact]
    public void Debug_info_of_the_JIT_is_read() => Assert.Equal(Some, Read(DebugInfoWriter.Write(Some)));

    [Theory]
    [InlineData(0, null, false)]
    [InlineData(17, null, false)]
    [InlineData(null, 0, false)]
    [InlineData(null, 1000, false)]
    [InlineData(3, 77, false)]
    [InlineData(null, null, true)]
    [InlineData(2, 5, true)]
    public void Data_before_the_bounds_is_skipped(int? locals, int? rich, bool instrumented)
        => Assert.Equal(Some, Read(DebugInfoWriter.Write(Some, locals, rich, instrumented)));

    [Fact]
    public void Random_bounds_are_read_as_they_were_written()
    {
        var random = new Random(10);
        for (int round = 0; round < 300; round++)
        {
            ILMappingEntry[] bounds = RandomBounds(random, random.Next(0, 60));
            Assert.Equal(bounds, Read(DebugInfoWriter.Write(bounds, round % 3 == 0 ? random.Next(9) : null, round % 5 == 0 ? random.Next(99) : null, round % 7 == 0)));
        }
    }

    [Fact]
    public void The_longest_method_is_read_from_memory()
    {
        ILMappingEntry[] bounds = RandomBounds(new Random(1), 340_000);
        byte[] blob = DebugInfoWriter.Write(bounds);
        Assert.InRange(blob.Length, 1_060_000, 4_000_000);
        Assert.Equal(bounds, NativeDebugInfo.ReadBounds(ByteMemory.At(Address, blob), Address));
    }

    [Fact]
    public void Bounds_at_the_end_of_memory_are_read()
    {
        byte[] blob = DebugInfoWriter.Write(Some)[..^8];
        Assert.Equal(Some, NativeDebugInfo.ReadBounds(ByteMemory.At(Address, blob), Address));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(Address - 1)]
    [InlineData(ulong.MaxValue)]
    public void Without_readable_memory_there_are_no_bounds(ulong address)
        => Assert.Empty(NativeDebugInfo.ReadBounds(ByteMemory.At(Address, DebugInfoWriter.Write(Some)), address));

    [Fact]
    public void A_truncated_blob_gives_all_bounds_or_none()
    {
        byte[] blob = DebugInfoWriter.Write(Some, patchpointLocals: 2, richBytes: 9);
        for (int length = 0; length < blob.Length; length++)
        {
            bool whole = NativeDebugInfo.TryReadBounds(blob.AsSpan(0, length), out ILMappingEntry[] bounds);
            Assert.Equal(whole ? Some : [], bounds);
            Assert.Equal(length >= blob.Length - 8, whole);
        }
    }

    [Theory]
    // More entries than there are bytes; more than any method has; widths that no entry can have.
    [InlineData(0xFFFFFFFF, 4, 4)]
    [InlineData(1_000_001, 0, 0)]
    [InlineData(100, 31, 31)]
    [InlineData(1, 31, 4)]
    [InlineData(1, 4, 32)]
    [InlineData(1, 0xFFFFFFFF, 4)]
    [InlineData(1, 4, 0xFFFFFFFF)]
    [InlineData(1, 0x7FFFFFFF, 0x7FFFFFFF)]
    public void Absurd_numbers_give_no_bounds(uint count, uint nativeBits, uint ilBits)
    {
        byte[] packed = [.. DebugInfoWriter.Nibbles(count, nativeBits, ilBits), .. new byte[40]];
        byte[] blob = [0, .. DebugInfoWriter.Nibbles((uint)packed.Length, 0), .. packed];
        Assert.False(NativeDebugInfo.TryReadBounds(blob, out ILMappingEntry[] bounds));
        Assert.Empty(bounds);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void Absurd_lengths_before_the_bounds_give_none(byte flags)
        => Assert.False(NativeDebugInfo.TryReadBounds([flags, .. Enumerable.Repeat((byte)0xFF, 5000)], out _));

    [Fact]
    public void Random_bytes_never_throw_and_never_give_more_bounds_than_bits()
    {
        var random = new Random(3);
        byte[] valid = DebugInfoWriter.Write(Some, patchpointLocals: 1);
        for (int round = 0; round < 20_000; round++)
        {
            byte[] blob = new byte[random.Next(200)];
            random.NextBytes(blob);
            // Half of them nearly right.
            if (round % 2 == 0)
                blob = [.. valid.Select(b => random.Next(8) == 0 ? (byte)random.Next(256) : b)];
            NativeDebugInfo.TryReadBounds(blob, out ILMappingEntry[] bounds);
            Assert.True(bounds.Length <= blob.Length * 8 / 4, Convert.ToHexString(blob));
        }
    }

    private static ILMappingEntry[] Read(byte[] blob)
    {
        Assert.True(NativeDebugInfo.TryReadBounds(blob, out ILMappingEntry[] bounds));
        return bounds;
    }

    private static ILMappingEntry[] RandomBounds(Random random, int count)
    {
        var bounds = new ILMappingEntry[count];
        uint native = 0;
        int widest = 1 << random.Next(1, 12);
        for (int i = 0; i < count; i++)
            bounds[i] = new(native += (uint)random.Next(widest), random.Next(-3, 1 << 20));
        return bounds;
    }
}
