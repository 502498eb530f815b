using Async2.Analysis.Layouts.Types;

namespace Async2.Analysis.Waits.Reading;

/// <summary>Finds the queue that a waiter stands in; each is read once, however many of its waiters are asked about.</summary>
/// <param name="isRing">The last of a queue leads back to the first; else to null.</param>
internal sealed class WaiterQueues(bool isRing)
{
    private readonly Dictionary<ulong, WaiterQueue> _byWaiter = [];
    private readonly Dictionary<ulong, WaiterQueue> _byHead = [];
    private readonly Dictionary<ulong, ulong> _heads = [];

    /// <param name="waiter">Stands anywhere in the queue.</param>
    /// <param name="node">Where its links are.</param>
    /// <param name="isHead">Whether a resource names an address as the first of its queue.</param>
    public WaiterQueue Of(HeapObject waiter, QueueNodeLayout node, Predicate<ulong> isHead)
    {
        if (_byWaiter.TryGetValue(waiter.Address, out WaiterQueue? known))
            return known;
        ulong head = HeadOf(waiter, node, isHead);
        if (!_byHead.TryGetValue(head, out WaiterQueue? queue))
        {
            _byHead[head] = queue = WaiterQueue.Read(waiter with { Address = head }, node, isRing);
            foreach (ulong other in queue.Waiters)
                _byWaiter[other] = queue;
        }
        return _byWaiter[waiter.Address] = queue;
    }

    // Without a head, the queue begins at the waiter that has none before it, or at the waiter itself. Each waiter is visited once, even in damaged lists.
    private ulong HeadOf(HeapObject waiter, QueueNodeLayout node, Predicate<ulong> isHead)
    {
        var passed = new HashSet<ulong>();
        HeapObject current = waiter;
        ulong head = 0;
        while (!_heads.TryGetValue(current.Address, out head) && passed.Add(current.Address) && passed.Count < WaiterQueue.Limit)
        {
            ulong previous = isHead(current.Address) ? 0 : current.Reference(node.Previous);
            if (previous == 0)
            {
                head = current.Address;
                break;
            }
            current = current with { Address = previous };
        }
        head = head == 0 ? waiter.Address : head;
        foreach (ulong each in passed)
            _heads[each] = head;
        return head;
    }
}
