using System.Runtime.InteropServices;
using Async2.Analysis.Heap;
using Async2.Analysis.Targets.Memory;
using Async2.Tests.Support.Drawing;

namespace Async2.Tests.Heap;

/// <summary>The walk over raw bytes, on drawings: copied in blocks, in place, and in place with seams between stretches of memory.</summary>
public sealed class SegmentWalkTests
{
    [Theory]
    [InlineData("")]
    [InlineData("o24")]
    [InlineData("o24 o32 o40 a0 a1 a7 a8 a9 o24")]
    [InlineData("a100000 o24 a600 o24 a511 a512 a513 o24")]
    public void Every_object_of_a_sound_heap_is_met_once(string drawing) => Sees(drawing, skipped: 0);

    [Theory]
    [InlineData("o24 - o24 o24 o24 o24 o24", 24)]
    [InlineData("o24 ! o24 o24 o24 o24 o24", 24)]
    [InlineData("o24 o32 ?40 o24 o24 o24 o24 o24 ?16 o32 o32 o32 o32", 56)]
    [InlineData("?8 o24", 32)] // Nothing is known yet, so nothing can be found again.
    [InlineData("o24 o24 ?24", 24)]
    public void After_damage_the_walk_continues_at_the_next_objects_and_reports_the_skipped_bytes(string drawing, int skipped)
        => Sees(drawing, skipped, except: drawing.StartsWith('?') ? 1 : 0);

    [Fact]
    public void A_single_apparent_object_in_damaged_memory_is_not_trusted()
    {
        // One plausible object, and then nonsense again: too little proof.
        DrawnHeap heap = DrawnHeap.Draw("o24 ?16 o24 ?16 o24 o24 o24 o24");
        (IReadOnlyList<ulong> found, HeapDamage damage) = heap.Walk(ByteMemory.At(DrawnHeap.Start, heap.Bytes));
        Assert.Equal([heap.Objects[0], .. heap.Objects.Skip(2)], found);
        Assert.Equal(56ul, damage.Skipped);
    }

    [Theory]
    [InlineData("o24 0x18 o24 o24 o24 o24", 0x18)] // No thread allocates there.
    [InlineData("o24 0x1000 o24 o24 o24 o24", 0x1000)] // A page that was never written.
    [InlineData("o24 o24 0x2000", 0)] // A thread was about to write an object.
    [InlineData("o24 0x20000 o24 o24 o24 o24", 0x20000)] // Too many to be that.
    public void Zeros_are_not_objects(string drawing, int skipped) => Sees(drawing, skipped);

    [Theory]
    [InlineData("o24 0x40 0x28 o24 o24 o24 o24 0x30 o24 o24 o24 o24")]
    [InlineData("o24 0x40 0x28 o32 a5 o24 0x30 o24 o24 o24 o24")] // Types that were not met before.
    public void An_object_that_a_thread_was_about_to_write_lies_before_the_unused_part_of_its_context(string drawing)
    {
        DrawnHeap heap = DrawnHeap.Draw(drawing);
        ulong unused = DrawnHeap.Start + 24 + 0x40;
        foreach (TargetMemory memory in Memories(heap.Bytes))
        {
            (IReadOnlyList<ulong> found, HeapDamage damage) = heap.Walk(memory, new HeapRange(unused, unused + 16));
            Assert.Equal(heap.Objects, found);
            Assert.Equal(0x30ul, damage.Skipped);
        }
    }

    /// <summary>No list has a context whose last byte is taken; behind it 24 bytes are kept to close it.</summary>
    [Theory]
    [InlineData("o24 0x18 o24 o24 o24 o24", 1, 0)]
    [InlineData("o24 0x18 o24 o24 o24 o24", 0, 24)]
    [InlineData("o24 0x18 o24 o24 o24 o24 0x18 o24 o24 o24 o24", 1, 24)]
    [InlineData("o24 0x20 o24 o24 o24 o24", 1, 32)]
    [InlineData("o24 0x10 ?8 o24 o24 o24 o24", 1, 0)] // The last word is the header of the next object.
    [InlineData("o24 0x10 ?8", 1, 0)]
    [InlineData("o24 0x18 o32 o40 a5", 1, 0)] // Types that were not met before.
    [InlineData("o24 0x10 ?8 o32", 1, 0)]
    [InlineData("o24 0x18 o32 o40 a5", 0, 0x18 + 32 + 40 + 24, 3)]
    [InlineData("o24 0x18 -", 1, 48)]
    [InlineData("o24 0x10 ?8 o24 o24 o24 o24", 0, 24)]
    [InlineData("o24 0x8 ?16 o24 o24 o24 o24", 1, 24)]
    public void The_end_of_a_full_allocation_context_has_no_object(string drawing, int exhausted, int skipped, int unseen = 0)
        => Sees(drawing, skipped, exhausted: exhausted, unseen: unseen);

    [Fact]
    public void The_unused_part_of_an_allocation_context_is_stepped_over_whatever_is_in_it()
    {
        DrawnHeap heap = DrawnHeap.Draw("o24 o32 ?40 o24 a3 ?24 o24");
        ulong first = DrawnHeap.Start + 56, second = first + 40 + 24 + 24;
        foreach (TargetMemory memory in Memories(heap.Bytes))
        {
            // The end of a context leaves room for a last object of 24 bytes.
            (IReadOnlyList<ulong> found, HeapDamage damage) = heap.Walk(memory, new(second, second), new(first, first + 16));
            Assert.Equal(heap.Objects, found);
            Assert.Null(damage.First);
        }
    }

    [Fact]
    public void A_hole_in_memory_is_skipped()
    {
        DrawnHeap heap = DrawnHeap.Draw("o24 o24 a8000 o24 a60 o24 o24 o24 o24 o24");
        // The memory behind the array's first page is missing.
        byte[] bytes = heap.Bytes;
        int hole = 48 + 1000, behind = bytes.Length - (24 * 4);
        using MemoryImage image = Image(bytes, (0, hole), (behind, bytes.Length));
        (IReadOnlyList<ulong> found, HeapDamage damage) = heap.Walk(new TargetMemory(new ByteMemory(0, []), image));
        Assert.Equal([.. heap.Objects.Take(3), .. heap.Objects.TakeLast(4)], found);
        Assert.True(damage.Skipped > 0);
    }

    private static void Sees(string drawing, int skipped, int except = 0, int exhausted = 0, int unseen = 0)
    {
        DrawnHeap heap = DrawnHeap.Draw(drawing, exhausted);
        foreach (TargetMemory memory in Memories(heap.Bytes))
        {
            (IReadOnlyList<ulong> found, HeapDamage damage) = heap.Walk(memory);
            Assert.Equal(heap.Objects.Skip(except).SkipLast(unseen), found);
            Assert.Equal((ulong)skipped, damage.Skipped);
            Assert.Equal(skipped > 0, damage.First is not null);
        }
    }

    private static IEnumerable<TargetMemory> Memories(byte[] bytes)
    {
        yield return ByteMemory.At(DrawnHeap.Start, bytes);
        yield return new TargetMemory(new ByteMemory(0, []), Image(bytes, (0, bytes.Length)));
        // Seams anywhere, in the middle of objects and of their fields too.
        foreach (int seam in (int[])[4, 26, 100])
            yield return new TargetMemory(new ByteMemory(0, []), Image(bytes, (0, Math.Min(seam, bytes.Length)), (Math.Min(seam, bytes.Length), bytes.Length)));
    }

    private static MemoryImage Image(byte[] bytes, params (int From, int To)[] stretches)
    {
        GCHandle pin = GCHandle.Alloc(bytes, GCHandleType.Pinned);
        nint data = pin.AddrOfPinnedObject();
        return new MemoryImage(stretches.Select(s => new ImageRange(DrawnHeap.Start + (ulong)s.From, (ulong)(s.To - s.From), data + s.From)), new Unpin(pin));
    }

    private sealed class Unpin(GCHandle pin) : IDisposable
    {
        public void Dispose() => pin.Free();
    }
}
