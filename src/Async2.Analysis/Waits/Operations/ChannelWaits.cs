using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Layouts.Waits;
using Async2.Analysis.Layouts;
using Async2.Analysis.Waits.Libraries;
using Async2.Analysis.Waits.Reading;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Waits.Operations;

/// <summary>Reads and writes of channels. An operation does not know its channel: it is the one that names an operation of the same queue.</summary>
internal sealed class ChannelWaits(WaitReaderContext all) : IWaitFamily
{
    private readonly LayoutCache<ChannelLayout> _channels = all.Layouts(ChannelLayout.Of);
    private readonly LayoutCache<ChannelOperationLayout> _operations = all.Layouts(ChannelOperationLayout.Of);
    private readonly CollectionCount _count = new(all);
    private readonly NpgsqlWaits _npgsql = new(all);
    private readonly WaiterQueues _queues = new(isRing: true);
    private Dictionary<ulong, ulong>? _byHead;

    public WaitStepReader? ReaderOf(ClrType type)
        => ChannelOperationLayout.Of(type, all.PointerSize) is { } layout ? address => new(Read(all.At(address), layout, type)) : null;

    private WaitFacts Read(HeapObject waiter, ChannelOperationLayout layout, ClrType type)
    {
        Dictionary<ulong, ulong> byHead = _byHead ??= ByHead();
        WaiterQueue queue = _queues.Of(waiter, layout.Node, byHead.ContainsKey);
        HeapObject channel = all.At(byHead.GetValueOrDefault(queue.Head));
        string? place = channel.Address == 0 ? null : queue.PlaceOf(waiter.Address);
        string? own = WaitText.Join(place, all.Tokens.OfRegistration(waiter, layout.Token));
        if (layout.Operation == ChannelOperation.Read && channel.Address != 0
            && _npgsql.OfChannel(channel, FormattableString.Invariant($"{queue.Count} waiting")) is { } pool)
            return new(WaitFamily.Pool, pool.What, pool.State, own, channel.Address);
        return new(WaitFamily.Channel, What(channel, layout.Operation, type), State(channel, queue, layout.Operation), own, channel.Address);
    }

    // The item's type is in the name of the channel; where that is gone, the operation may know it.
    private string What(HeapObject channel, ChannelOperation operation, ClrType type)
    {
        ClrType? named = channel.Address == 0 ? type : TypeLookup.Of(all.Target.Runtime, channel.MethodTable());
        return ChannelText.What(named, operation);
    }

    private string? State(HeapObject channel, WaiterQueue queue, ChannelOperation operation)
    {
        bool reads = ChannelText.Reads(operation);
        if (channel.Address == 0 || _channels.Of(channel) is not { } layout)
            return ChannelText.Waiters(queue.Count, queue.IsWhole, reads);
        string? items = ChannelText.Items(
            layout.Items is { } field ? _count.Of(channel.At(field)) : null, layout.Capacity is { } bound ? channel.Int32(bound) : null);
        (long waiting, bool isWhole) = CountAll(channel, layout, reads);
        string? done = channel.Reference(layout.DoneWriting) != 0 ? "completed" : null;
        return WaitText.Join(items ?? (layout.Items is null ? "no buffer" : null), ChannelText.Waiters(waiting, isWhole, reads), done);
    }

    // ReadAsync and WaitToReadAsync have queues of their own; both are readers to a user.
    private (long Count, bool IsWhole) CountAll(HeapObject channel, ChannelLayout layout, bool reads)
    {
        long total = 0;
        bool isWhole = true;
        foreach ((int field, ChannelOperation operation) in layout.Queues)
        {
            HeapObject head = channel.At(field);
            if (ChannelText.Reads(operation) != reads || head.Address == 0)
                continue;
            // The single reader of a channel for one consumer is in no ring.
            if (_operations.Of(head) is { } node && head.Reference(node.Node.Next) != 0)
            {
                WaiterQueue queue = _queues.Of(head, node.Node, address => address == head.Address);
                total += queue.Count;
                isWhole &= queue.IsWhole;
            }
            else
            {
                total++;
            }
        }
        return (total, isWhole);
    }

    private Dictionary<ulong, ulong> ByHead()
    {
        var found = new Dictionary<ulong, ulong>();
        foreach (ulong address in all.Resources.Addresses)
        {
            HeapObject item = all.At(address);
            if (_channels.Of(item) is not { } layout)
                continue;
            foreach ((int field, _) in layout.Queues)
            {
                if (item.Reference(field) is not 0 and var head)
                    found.TryAdd(head, address);
            }
        }
        return found;
    }
}
