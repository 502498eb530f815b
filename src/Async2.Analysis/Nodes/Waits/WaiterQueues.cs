using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Waits;

namespace Async2.Analysis.Nodes.Waits;

/// <summary>Finds the queue that a waiter stands in; each is read once, however many of its waiters are asked about.</summary>
/// <param name="isRing">The last of a queue leads back to the first; else to null.</param>
internal sealed class WaiterQueues(bool isRing)
{
    private readonly Dictionary<ulong, WaiterQueue> _byWaiter = [];

    /// <param name="waiter">Stands anywhere in the queue.</param>
    /// <param name="node">Where its links are.</param>
    /// <param name="isHead">Whether a resource names an address as the first of its queue.</param>
    public WaiterQueue Of(HeapObject waiter, QueueNodeLayout node, Predicate<ulong> isHead)
    {
        if (_byWaiter.TryGetValue(waiter.Address, out WaiterQueue? known))
            return known;
        var queue = WaiterQueue.Read(waiter with { Address = HeadOf(waiter, node, isHead) }, node, isRing);
        _byWaiter[waiter.Address] = queue;
        foreach (ulong other in queue.Waiters)
            _byWaiter[other] = queue;
        return queue;
    }

    // Without a head, the queue is taken to begin at the waiter itself.
    private static ulong HeadOf(HeapObject waiter, QueueNodeLayout node, Predicate<ulong> isHead)
    {
        HeapObject current = waiter;
        for (int i = 0; i < WaiterQueue.Limit && !isHead(current.Address); i++)
        {
            ulong previous = current.Reference(node.Previous);
            if (previous == 0)
                return current.Address;
            if (previous == waiter.Address)
                return waiter.Address;
            current = current with { Address = previous };
        }
        return isHead(current.Address) ? current.Address : waiter.Address;
    }
}
