using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Model;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Waits.Reading;

/// <summary>The waiters of one resource in order.</summary>
internal sealed class WaiterQueue
{
    /// <summary>More than a process can have, and an end for a list that has none.</summary>
    public const int Limit = 1_000_000;

    private readonly Dictionary<ulong, int> _places = [];

    private WaiterQueue(ulong head) => Head = head;

    /// <summary>The first of them.</summary>
    public ulong Head { get; }

    public int Count => _places.Count;

    public IEnumerable<ulong> Waiters => _places.Keys;

    /// <summary>False if the list is longer than plausible, runs in a cycle, or cannot be read to its end.</summary>
    public bool IsWhole { get; private set; }

    /// <param name="head">First waiter; address 0 for none.</param>
    /// <param name="node">Where its links are.</param>
    /// <param name="isRing">The last one leads back to the first; else to null.</param>
    public static WaiterQueue Read(HeapObject head, QueueNodeLayout node, bool isRing)
    {
        var queue = new WaiterQueue(head.Address) { IsWhole = head.Address == 0 };
        HeapObject waiter = head;
        while (waiter.Address != 0 && queue.Count < Limit && queue._places.TryAdd(waiter.Address, queue.Count + 1))
        {
            bool isReadable = waiter.Memory.TryReadPointer(waiter.Address + (ulong)node.Next, out ulong next);
            queue.IsWhole = isReadable && next == (isRing ? head.Address : 0);
            waiter = waiter with { Address = queue.IsWhole ? 0 : next };
        }
        return queue;
    }

    /// <summary>How many wait.</summary>
    /// <param name="others">Waiters that stand elsewhere.</param>
    public WaitFact Waiting(long others = 0) => new(WaitFactKey.Waiting, Count + others) { IsBound = !IsWhole };

    /// <summary>Place of a waiter, from 1; null where that is not news.</summary>
    public int? PlaceOf(ulong waiter) => Count > 1 && _places.TryGetValue(waiter, out int place) ? place : null;
}

/// <summary>
/// A waiter in a list of waiters: <c>SemaphoreSlim+TaskNode</c> (ends with null), or an operation of a channel (a ring). Neither
/// has a reference to the semaphore or channel.
/// </summary>
/// <param name="Next">Behind it in the queue.</param>
/// <param name="Previous">Before it in the queue.</param>
internal sealed record QueueNodeLayout(int Next, int Previous)
{
    private const string TaskNode = "System.Threading.SemaphoreSlim+TaskNode";

    public static QueueNodeLayout? OfTaskNode(ClrType type, int pointerSize)
        => type.Name == TaskNode && FieldOffsets.Find(type, pointerSize, "Next", "Prev") is { } fields ? new(fields["Next"], fields["Prev"]) : null;

    public static QueueNodeLayout? OfOperation(ClrType type, int pointerSize)
    {
        const string next = "<Next>k__BackingField", previous = "<Previous>k__BackingField";
        return FieldOffsets.Find(type, pointerSize, next, previous) is { } fields ? new(fields[next], fields[previous]) : null;
    }
}
