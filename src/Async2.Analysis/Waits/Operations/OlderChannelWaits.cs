using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Model;
using Async2.Analysis.Waits.Reading;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Waits.Operations;

/// <summary>
/// Reads and writes of channels of .NET 8 and 9. An operation knows neither its channel nor whether it reads or writes, so the waiters
/// are read from all channels of the heap.
/// </summary>
internal sealed class OlderChannelWaits(WaitReaderContext all) : IWaitFamily<OlderChannelWaits>
{
    private readonly LayoutCache<OlderChannelLayout> _channels = all.Layouts(OlderChannelLayout.Of);
    private readonly LayoutCache<OlderOperationLayout> _operations = all.Layouts(OlderOperationLayout.Of);
    private readonly LayoutCache<DequeLayout> _deques = all.Layouts(DequeLayout.Of);
    private readonly CollectionCount _count = new(all);
    private readonly Dictionary<(ulong Channel, ChannelOperation Operation), WaitReason> _reasons = [];
    private readonly WaitFactList _facts = new();
    private Dictionary<ulong, Place>? _places;

    public static bool IsResource(ClrType type, int pointerSize) => OlderChannelLayout.Of(type, pointerSize) is not null;

    public static OlderChannelWaits Open(WaitReaderContext all) => new(all);

    public WaitStepReader? ReaderOf(ClrType type)
        => OlderOperationLayout.Of(type, all.PointerSize) is { } layout ? address => new(Read(all.At(address), layout)) : null;

    private WaitReason Read(HeapObject waiter, OlderOperationLayout layout)
    {
        bool isKnown = (_places ??= Places()).TryGetValue(waiter.Address, out Place place);
        if (!isKnown || !_reasons.TryGetValue((place.Channel, place.Operation), out WaitReason? reason))
        {
            reason = isKnown ? OfAll(all.At(place.Channel), place.Operation) : new(WaitKind.Channel, "Channel");
            if (isKnown)
                _reasons[(place.Channel, place.Operation)] = reason;
        }
        _facts.AddPlace(place.Of > 1 ? place.Number : null);
        all.Tokens.AddRegistration(_facts, waiter, layout.Token);
        return reason with { Own = _facts.Take() };
    }

    // The facts that all waiters of the same queue of a channel share.
    private WaitReason OfAll(HeapObject channel, ChannelOperation operation)
    {
        string name = ChannelFacts.NameOf(TypeLookup.Of(all.Target.Runtime, channel.MethodTable()));
        AddState(channel, ChannelFacts.Reads(operation));
        return new(WaitKind.Channel, name, ChannelFacts.ActionOf(operation)) { Resource = channel.Address, Shared = _facts.Take() };
    }

    private void AddState(HeapObject channel, bool reads)
    {
        if (_channels.Of(channel) is not { } layout)
            return;
        ChannelFacts.AddItems(_facts, layout.Items is { } field ? _count.Of(channel.At(field)) : null, layout.Capacity is { } bound ? channel.Int32(bound) : null);
        bool isWhole = true;
        long waiting = 0;
        foreach (OlderQueue queue in layout.Queues.Where(q => ChannelFacts.Reads(q.Operation) == reads))
        {
            (IReadOnlyCollection<ulong> found, bool isAll) = Waiters(channel, queue);
            waiting += found.Count;
            isWhole &= isAll;
        }
        ChannelFacts.AddWaiters(_facts, waiting, isWhole, reads);
        if (channel.Reference(layout.DoneWriting) != 0)
            _facts.Add(WaitFactKey.Completed);
    }

    private Dictionary<ulong, Place> Places()
    {
        var found = new Dictionary<ulong, Place>();
        foreach (ulong address in all.Resources.Addresses)
        {
            HeapObject channel = all.At(address);
            foreach (OlderQueue queue in _channels.Of(channel)?.Queues ?? [])
            {
                (IReadOnlyCollection<ulong> waiters, _) = Waiters(channel, queue);
                int number = 0;
                foreach (ulong waiter in waiters)
                    found.TryAdd(waiter, new(address, queue.Operation, ++number, waiters.Count));
            }
        }
        return found;
    }

    private (IReadOnlyCollection<ulong> Waiters, bool IsWhole) Waiters(HeapObject channel, OlderQueue queue)
    {
        HeapObject start = channel.At(queue.Field);
        if (start.Address == 0)
            return ([], true);
        return queue.Shape switch
        {
            OlderQueueShape.Deque => InDeque(start),
            OlderQueueShape.RingTail => InRing(start),
            _ => ([start.Address], true),
        };
    }

    private (IReadOnlyCollection<ulong> Waiters, bool IsWhole) InRing(HeapObject tail)
    {
        if (_operations.Of(tail) is not { } layout || tail.At(layout.Next) is not { Address: not 0 } head)
            return ([tail.Address], false);
        var ring = WaiterQueue.Read(head, new QueueNodeLayout(layout.Next, 0), isRing: true);
        return ([.. ring.Waiters], ring.IsWhole);
    }

    private (IReadOnlyCollection<ulong> Waiters, bool IsWhole) InDeque(HeapObject deque)
    {
        if (_deques.Of(deque) is not { } layout || deque.Int32(layout.Size) is not { } size || deque.Int32(layout.Head) is not { } head)
            return ([], false);
        if (size == 0)
            return ([], true);
        ulong[] slots = ArrayLayout.ReadReferences(all.Target.Memory, deque.Reference(layout.Items), WaiterQueue.Limit);
        if (size < 0 || size > slots.Length || head < 0 || head >= slots.Length)
            return ([], false);
        ulong[] waiters = [.. Enumerable.Range(0, size).Select(i => slots[(head + i) % slots.Length])];
        return (waiters, !waiters.Contains(0ul));
    }

    private readonly record struct Place(ulong Channel, ChannelOperation Operation, int Number, int Of);
}

/// <summary>How a channel of .NET 8 or 9 keeps those who wait for it.</summary>
internal enum OlderQueueShape
{
    /// <summary>One operation, or null.</summary>
    One,

    /// <summary>The last of a ring of operations.</summary>
    RingTail,

    /// <summary>A <c>System.Collections.Generic.Deque</c> of operations.</summary>
    Deque,
}

/// <summary>A field of a channel of .NET 8 or 9 that leads to operations.</summary>
internal readonly record struct OlderQueue(int Field, ChannelOperation Operation, OlderQueueShape Shape);

/// <summary>
/// A channel of .NET 8 and 9: <c>BoundedChannel</c>, <c>UnboundedChannel</c>, <c>SingleConsumerUnboundedChannel</c>,
/// <c>UnboundedPrioritizedChannel</c> (System.Threading.Channels 8.0.31 and 9.0.20).
/// </summary>
/// <param name="Queues">Who waits.</param>
/// <param name="DoneWriting">Exception that ends the channel; null while it is open.</param>
/// <param name="Items">The collection of items.</param>
/// <param name="Capacity">int; null if there is no bound.</param>
internal sealed record OlderChannelLayout(IReadOnlyList<OlderQueue> Queues, int DoneWriting, int? Items, int? Capacity)
{
    private const string Prefix = "System.Threading.Channels.";

    private static readonly (string Name, ChannelOperation Operation, OlderQueueShape Shape)[] Names =
    [
        ("_blockedReaders", ChannelOperation.Read, OlderQueueShape.Deque),
        ("_blockedReader", ChannelOperation.Read, OlderQueueShape.One),
        ("_waitingReadersTail", ChannelOperation.WaitToRead, OlderQueueShape.RingTail),
        ("_waitingReader", ChannelOperation.WaitToRead, OlderQueueShape.One),
        ("_blockedWriters", ChannelOperation.Write, OlderQueueShape.Deque),
        ("_waitingWritersTail", ChannelOperation.WaitToWrite, OlderQueueShape.RingTail),
    ];

    public static OlderChannelLayout? Of(ClrType type, int pointerSize)
    {
        if (type.Name is not { } name || !name.StartsWith(Prefix, StringComparison.Ordinal)
            || FieldPath.Find(type, pointerSize, "_doneWriting") is not { } done)
            return null;
        OlderQueue[] queues =
        [
            .. Names.Select(n => (Field: FieldPath.Find(type, pointerSize, n.Name), n.Operation, n.Shape))
                .Where(q => q.Field is not null)
                .Select(q => new OlderQueue(q.Field!.Value, q.Operation, q.Shape)),
        ];
        return queues.Length == 0 ? null
            : new(queues, done, FieldPath.Find(type, pointerSize, "_items"), FieldPath.Find(type, pointerSize, "_bufferedCapacity"));
    }
}

/// <summary>
/// An operation that waits for a channel of .NET 8 and 9 (AsyncOperation.cs): which one, only the channel knows.
/// </summary>
/// <param name="Next">The one behind it in a ring.</param>
/// <param name="Token">Node of its registration with a token.</param>
internal sealed record OlderOperationLayout(int Next, int? Token)
{
    private static readonly string[] Prefixes = ["System.Threading.Channels.AsyncOperation<", "System.Threading.Channels.VoidAsyncOperationWithData<"];

    public static OlderOperationLayout? Of(ClrType type, int pointerSize)
        => Array.Exists(Prefixes, prefix => type.Name?.StartsWith(prefix, StringComparison.Ordinal) == true)
            && FieldPath.Find(type, pointerSize, "<Next>k__BackingField") is { } next
            ? new(next, TokenLayouts.RegistrationIn(type, pointerSize, "_registration"))
            : null;
}

/// <summary><c>System.Collections.Generic.Deque</c>: a ring of elements in an array.</summary>
/// <param name="Items">The array.</param>
/// <param name="Head">int, where the first one is.</param>
/// <param name="Size">int.</param>
internal sealed record DequeLayout(int Items, int Head, int Size)
{
    public static DequeLayout? Of(ClrType type, int pointerSize)
        => FieldOffsets.Find(type, pointerSize, "_array", "_head", "_size") is { } fields ? new(fields["_array"], fields["_head"], fields["_size"]) : null;
}
