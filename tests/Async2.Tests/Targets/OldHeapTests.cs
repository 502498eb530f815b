using Async2.Analysis.Targets.Copying;
using Async2.Analysis.Targets.Memory;
using Async2.Analysis.Targets.Processes;
using Async2.Analysis.Targets.Stopping;

namespace Async2.Tests.Targets;

/// <summary>The part of a heap that is not copied as a whole: what is copied of it, and what is read of the rest.</summary>
public sealed class OldHeapTests
{
    private const ulong Page = PageMap.PageSize;
    private static readonly Collections Seen = new(9, 5, 2, IsBusy: false);

    [Fact]
    public void Parts_and_pages_are_copied_once_and_in_order()
    {
        OldSegment[] segments =
        [
            new(0x40_0000, 0x40_0000 + (6 * Page), Seen) { Parts = [new(0x40_0010, 0x20), new(0x40_1f00, 0x200)] },
            new(0x10_0000, 0x10_0000 + (2 * Page), Seen) { Parts = [new(0x10_1f00, 0x400)] },
        ];
        // A page that is in no segment is not asked for here.
        ulong[] pages = [0x40_1000, 0x40_4000, 0x10_0000, 0x70_0000];
        Assert.Equal([new(0x10_0000, (nuint)(2 * Page)), new(0x40_0000, (nuint)(3 * Page)), new(0x40_4000, (nuint)Page)], new OldHeap(segments, pages).Runs);
        var heap = new OldHeap(segments, pages, mostInPages: 0);
        // With the word before an object and some bytes behind it. What reaches beyond the last whole page of a segment is copied with what is not of it.
        Assert.Equal([new(0x10_0000, (nuint)Page), new(0x10_1e00, 0x200), new(0x40_0000, 0x200), new(0x40_1000, 0x1200), new(0x40_4000, (nuint)Page)], heap.Runs);
    }

    [Fact]
    public void What_is_left_of_a_range_is_copied_as_a_whole()
    {
        var heap = new OldHeap([new(0x2000, 0x4000, Seen), new(0x4000, 0x5000, Seen), new(0x8000, 0x9000, Seen)], []);
        Assert.Equal([new(0x1000, 0x1000), new(0x5000, 0x3000), new(0x9000, 0x1000)], heap.Without(new(0x1000, 0x9000)));
        Assert.Equal([new(0x5000, 0x1000)], heap.Without(new(0x3000, 0x3000)));
        Assert.Empty(heap.Without(new(0x2000, 0x3000)));
        Assert.Equal([new(0xa000, 0x1000)], heap.Without(new(0xa000, 0x1000)));
    }

    [Fact]
    public void It_is_what_it_was_until_something_comes_into_it()
    {
        var heap = new OldHeap([new(0x2000, 0x4000, Seen), new(0x4000, 0x5000, Seen)], []);
        Assert.True(heap.IsAsOf(Seen with { Young = 12 }));
        Assert.False(heap.IsAsOf(Seen with { Young = 12, Middle = 6 }));
        Assert.False(heap.IsAsOf(Seen with { Old = 3 }));
        Assert.False(heap.IsAsOf(Seen with { IsBusy = true }));
        Assert.False(new OldHeap([new(0x2000, 0x4000, Seen), new(0x4000, 0x5000, Seen with { Middle = 4 })], []).IsAsOf(Seen));
    }

    /// <summary>Read of this process itself.</summary>
    [Fact]
    public unsafe void A_page_that_was_not_copied_counts_if_it_is_as_it_was()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Linux only");
        nint data = MemoryCalls.Reserve(2 * Page);
        try
        {
            *(ulong*)(data + 64) = 1;
            *(ulong*)(data + (nint)Page + 64) = 1;
            ulong start = (ulong)data;
            var heap = new OldHeap([new(start, start + (2 * Page), Seen) { Fingerprints = [PageFingerprint.Of(new(data.ToPointer(), (int)Page)), PageFingerprint.Of(new((data + (nint)Page).ToPointer(), (int)Page))] }], []);
            *(ulong*)(data + (nint)Page + 128) = 2;
            using var reader = CopiedProcessReader.Of(new()
            {
                Pid = Environment.ProcessId, Image = new([], new CopySpace()), Mappings = MemoryMapping.Of(Environment.ProcessId), View = ProcessView.Of(Environment.ProcessId), TakenAt = 0, Old = heap,
            });
            Assert.Equal(1ul, reader.Read<ulong>(start + 64));
            Assert.Empty(heap.Changed);
            Assert.Equal([start], heap.Asked);
            // There will be another copy, with this page: where it leads now, says what else that copy should have.
            Assert.Equal(1ul, reader.Read<ulong>(start + Page + 64));
            Assert.Equal([start + Page], heap.Changed);
            heap.IsFinal = true;
            Assert.False(reader.Read<ulong>(start + Page + 64, out _));
            Assert.True(reader.Read<ulong>(start + 64, out _));
        }
        finally
        {
            MemoryCalls.Release(data, 2 * Page);
        }
    }

    [Fact]
    public void A_fingerprint_tells_whatever_changes()
    {
        byte[] page = new byte[Page];
        new Random(1).NextBytes(page);
        var seen = new HashSet<ulong> { PageFingerprint.Of(page) };
        for (int bit = 0; bit < page.Length * 8; bit++)
        {
            page[bit / 8] ^= (byte)(1 << (bit % 8));
            Assert.True(seen.Add(PageFingerprint.Of(page)), $"bit {bit}");
            page[bit / 8] ^= (byte)(1 << (bit % 8));
        }
        // The highest bits of two numbers: signs of floating-point numbers.
        page[7] ^= 0x80;
        page[32 + 7] ^= 0x80;
        Assert.True(seen.Add(PageFingerprint.Of(page)));
    }
}
