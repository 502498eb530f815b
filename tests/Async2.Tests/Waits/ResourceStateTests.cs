using Async2.Analysis.Formatting;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Waits.Operations;
using Async2.Analysis.Waits.Reading;
using Async2.Tests.Support.Drawing;

namespace Async2.Tests.Waits;

/// <summary>Words about drawn semaphores, queues and addresses, valid and absurd.</summary>
public sealed class ResourceStateTests
{
    private static readonly SemaphoreLayout Semaphore = new(Free: 8, Maximum: 12, BlockedThreads: 16, Head: 24);
    private static readonly SegmentLayout Concurrent = new(Slots: 8, Next: 16, Head: 24, Tail: 28, Frozen: 32);
    private static readonly SegmentLayout Single = new(Slots: 8, Next: 16, Head: 24, Tail: 28, Frozen: null);
    private static readonly AddressLayout Address = new(AddressOrScope: 8, Numbers: 16);

    [Theory]
    [InlineData(0, 5, 0, "0 of 5 free, 0 waiting")]
    [InlineData(2, int.MaxValue, 3, "2 free, 3 waiting")]
    [InlineData(-1, 5, -7, "-1 of 5 free, 0 waiting")]
    public void A_semaphore_counts(int free, int maximum, int threads, string expected)
    {
        HeapObject semaphore = new WordMemory().Write(0x100, 1, Pair(free, maximum), Pair(threads, 0), 0).At(0x100);
        Assert.Equal(expected, FactFormatter.Of(SemaphoreWaits.StateOf(semaphore, Semaphore, WaiterQueue.Read(semaphore with { Address = 0 }, new(8, 16), isRing: false)).AsSpan()));
    }

    [Fact]
    public void An_unreadable_semaphore_has_its_waiters_left()
    {
        HeapObject hole = new WordMemory().At(0x100);
        Assert.Equal("0 waiting", FactFormatter.Of(SemaphoreWaits.StateOf(hole, Semaphore, WaiterQueue.Read(hole with { Address = 0 }, new(8, 16), isRing: false)).AsSpan()));
    }

    [Theory]
    [InlineData(5, 8, 0, 32u, 3)]
    [InlineData(5, 5 + 32 + 64, 1, 32u, 32)]
    [InlineData(int.MaxValue, int.MinValue, 0, 32u, 1)]
    [InlineData(8, 5, 0, 32u, null)]
    [InlineData(0, 1000, 0, 32u, null)]
    [InlineData(0, 3, 0, 0u, null)]
    public void A_segment_of_a_concurrent_queue_counts(int head, int tail, int frozen, uint length, int? expected)
        => Assert.Equal(expected, CollectionCount.OfSegment(Segment(head, tail, frozen, length), Concurrent));

    [Theory]
    [InlineData(5, 8, 16u, 3)]
    [InlineData(14, 2, 16u, 4)]
    [InlineData(3, 3, 16u, 0)]
    public void A_segment_of_a_single_consumer_queue_wraps_around(int head, int tail, uint length, int? expected)
        => Assert.Equal(expected, CollectionCount.OfSegment(Segment(head, tail, 0, length), Single));

    [Fact]
    public void Addresses_are_spelled_as_usual()
    {
        // 127.0.0.1 in network order; ::1 as eight numbers of the processor's order.
        Assert.Equal("127.0.0.1", EndPointReader.TextOf(new WordMemory().Write(0x100, 1, 0x0100007f, 0).At(0x100), Address));
        Assert.Equal("[::1]", EndPointReader.TextOf(new WordMemory().Write(0x100, 1, 0, 0x200).Write(0x200, 1, 8, 0, 0x0001_0000_0000_0000).At(0x100), Address));
        Assert.Equal("[2001:db8::1]", EndPointReader.TextOf(new WordMemory().Write(0x100, 1, 0, 0x200).Write(0x200, 1, 8, 0x0db8_2001, 0x0001_0000_0000_0000).At(0x100), Address));
    }

    [Fact]
    public void An_address_of_the_wrong_length_is_rejected()
    {
        Assert.Null(EndPointReader.TextOf(new WordMemory().Write(0x100, 1, 0, 0x200).Write(0x200, 1, 0x7fffffff, 0, 0).At(0x100), Address));
        Assert.Null(EndPointReader.TextOf(new WordMemory().Write(0x100, 1, 0, 0x200).Write(0x200, 1, 8, 0).At(0x100), Address));
        Assert.Null(EndPointReader.TextOf(new WordMemory().At(0x100), Address));
    }

    [Fact]
    public void A_string_is_cut_off_at_its_limit()
    {
        WordMemory memory = new WordMemory().Write(0x100, 1, 0x0062_0061_7fff_ffff, 0x0066_0065_0064_0063);
        Assert.Equal("abcd", StringLayout.Read(memory.At(0).Memory, 0x100, limit: 4));
        Assert.Null(StringLayout.Read(memory.At(0).Memory, 0x100, limit: 400));
    }

    private static HeapObject Segment(int head, int tail, int frozen, uint length)
        => new WordMemory().Write(0x100, 1, 0x200, 0, Pair(head, tail), (ulong)frozen).Write(0x200, 1, length).At(0x100);

    private static ulong Pair(int low, int high) => (uint)low | ((ulong)(uint)high << 32);
}
