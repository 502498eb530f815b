using Async2.Analysis.Formatting;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Model;
using Async2.Analysis.Waits.Reading;
using Async2.Tests.Support.Drawing;

namespace Async2.Tests.Waits;

/// <summary>Waiters are drawn as nodes of three words: method table, next, previous.</summary>
public sealed class WaiterQueueTests
{
    private static readonly QueueNodeLayout Node = new(Next: 8, Previous: 16);

    [Fact]
    public void A_list_ends_with_null()
    {
        HeapObject head = new WordMemory().Write(0x100, 1, 0x200, 0).Write(0x200, 1, 0x300, 0x100).Write(0x300, 1, 0, 0x200).At(0x100);
        var queue = WaiterQueue.Read(head, Node, isRing: false);
        Assert.True(queue.IsWhole);
        Assert.Equal("3 waiting", Words(queue));
        Assert.Equal("5 waiting", FactFormatter.Of([queue.Waiting(others: 2)]));
        Assert.Equal("2nd in the queue", Place(queue, 0x200));
        Assert.Null(queue.PlaceOf(0x400));
    }

    private static string? Words(WaiterQueue queue) => FactFormatter.Of([queue.Waiting()]);

    private static string? Place(WaiterQueue queue, ulong waiter) => FactFormatter.Of([new(WaitFactKey.PlaceInQueue, queue.PlaceOf(waiter)!.Value)]);

    [Fact]
    public void A_single_waiter_has_no_place_in_the_queue()
        => Assert.Null(WaiterQueue.Read(new WordMemory().Write(0x100, 1, 0, 0).At(0x100), Node, isRing: false).PlaceOf(0x100));

    [Fact]
    public void Without_a_head_there_are_no_waiters()
        => Assert.Equal("0 waiting", Words(WaiterQueue.Read(new WordMemory().At(0), Node, isRing: false)));

    [Fact]
    public void A_ring_leads_back_to_its_head()
    {
        HeapObject head = new WordMemory().Write(0x100, 1, 0x200, 0x200).Write(0x200, 1, 0x100, 0x100).At(0x100);
        var queue = WaiterQueue.Read(head, Node, isRing: true);
        Assert.True(queue.IsWhole);
        Assert.Equal(2, queue.Count);
    }

    [Fact]
    public void A_cyclic_list_ends_and_is_reported()
    {
        HeapObject head = new WordMemory().Write(0x100, 1, 0x200, 0).Write(0x200, 1, 0x300, 0x100).Write(0x300, 1, 0x200, 0x200).At(0x100);
        var queue = WaiterQueue.Read(head, Node, isRing: false);
        Assert.False(queue.IsWhole);
        Assert.Equal("at least 3 waiting", Words(queue));
    }

    [Fact]
    public void A_list_into_unmapped_memory_is_not_complete()
        => Assert.Equal("at least 2 waiting", Words(WaiterQueue.Read(new WordMemory().Write(0x100, 1, 0x200, 0).At(0x100), Node, isRing: false)));

    [Fact]
    public void A_waiter_finds_its_queue_by_walking_back()
    {
        WordMemory memory = new WordMemory().Write(0x100, 1, 0x200, 0).Write(0x200, 1, 0x300, 0x100).Write(0x300, 1, 0, 0x200);
        var queues = new WaiterQueues(isRing: false);
        WaiterQueue last = queues.Of(memory.At(0x300), Node, _ => false);
        Assert.Equal(0x100ul, last.Head);
        Assert.Same(last, queues.Of(memory.At(0x200), Node, _ => false));
    }

    [Fact]
    public void The_head_of_a_ring_is_the_one_that_a_resource_names()
    {
        WordMemory memory = new WordMemory().Write(0x100, 1, 0x200, 0x300).Write(0x200, 1, 0x300, 0x100).Write(0x300, 1, 0x100, 0x200);
        WaiterQueue queue = new WaiterQueues(isRing: true).Of(memory.At(0x100), Node, address => address == 0x200);
        Assert.Equal(0x200ul, queue.Head);
        Assert.Equal("3rd in the queue", Place(queue, 0x100));
    }

    [Fact]
    public void A_ring_without_a_resource_is_still_counted()
    {
        WordMemory memory = new WordMemory().Write(0x100, 1, 0x200, 0x200).Write(0x200, 1, 0x100, 0x100);
        Assert.Equal(2, new WaiterQueues(isRing: true).Of(memory.At(0x200), Node, _ => false).Count);
    }

    [Fact]
    public void Walking_back_in_a_cycle_without_the_waiter_ends()
    {
        WordMemory memory = new WordMemory().Write(0x100, 1, 0, 0x200).Write(0x200, 1, 0, 0x300).Write(0x300, 1, 0, 0x200);
        Assert.Equal(0x100ul, new WaiterQueues(isRing: false).Of(memory.At(0x100), Node, _ => false).Head);
    }

    /// <summary>Links back are whole and links forward are not, or all lead back into a cycle: starting from any waiter, each waiter is visited once.</summary>
    [Theory]
    [InlineData(0)]
    [InlineData(0x1000 * 7)]
    public void A_damaged_queue_is_walked_once_for_all_its_waiters(ulong beforeFirst)
    {
        const int waiters = 5_000, size = 0x1000;
        var memory = new WordMemory();
        for (ulong i = 1; i <= waiters; i++)
            memory.Write(i * size, 1, 0, i == 1 ? beforeFirst : (i - 1) * size);
        var queues = new WaiterQueues(isRing: false);
        int steps = 0;
        for (ulong i = waiters; i > 0; i--)
            Assert.Equal(1, queues.Of(memory.At(i * size), Node, _ => ++steps < 0).Count);
        for (ulong i = 1; i <= waiters; i++)
            queues.Of(memory.At(i * size), Node, _ => ++steps < 0);
        Assert.InRange(steps, 1, waiters);
    }
}
