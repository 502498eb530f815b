using System.Collections.Immutable;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Layouts.Waits;
using Async2.Analysis.Model;
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
    private readonly Dictionary<(WaiterQueue Queue, ChannelOperation Operation), WaitReason> _reasons = [];
    private readonly WaitFactList _facts = new();
    private Dictionary<ulong, ulong>? _byHead;

    public WaitStepReader? ReaderOf(ClrType type)
        => ChannelOperationLayout.Of(type, all.PointerSize) is { } layout ? address => new(Read(all.At(address), layout, type)) : null;

    private WaitReason Read(HeapObject waiter, ChannelOperationLayout layout, ClrType type)
    {
        Dictionary<ulong, ulong> byHead = _byHead ??= ByHead();
        WaiterQueue queue = _queues.Of(waiter, layout.Node, byHead.ContainsKey);
        HeapObject channel = all.At(byHead.GetValueOrDefault(queue.Head));
        if (!_reasons.TryGetValue((queue, layout.Operation), out WaitReason? reason))
            _reasons[(queue, layout.Operation)] = reason = OfAll(channel, queue, layout.Operation, type);
        _facts.AddPlace(channel.Address == 0 ? null : queue.PlaceOf(waiter.Address));
        all.Tokens.AddRegistration(_facts, waiter, layout.Token);
        ImmutableArray<WaitFact> own = _facts.Take();
        return own.IsEmpty ? reason : reason with { Own = own };
    }

    // What is the same for all who wait for a channel to do the same.
    private WaitReason OfAll(HeapObject channel, WaiterQueue queue, ChannelOperation operation, ClrType type)
    {
        if (operation == ChannelOperation.Read && channel.Address != 0 && _npgsql.OfChannel(channel, queue.Count) is { } pool)
            return pool;
        // The item's type is in the name of the channel; where that is gone, the operation may know it.
        ClrType? named = channel.Address == 0 ? type : TypeLookup.Of(all.Target.Runtime, channel.MethodTable());
        AddState(channel, queue, ChannelFacts.Reads(operation));
        return new(WaitKind.Channel, ChannelFacts.NameOf(named), ChannelFacts.ActionOf(operation)) { Resource = channel.Address, Shared = _facts.Take() };
    }

    private void AddState(HeapObject channel, WaiterQueue queue, bool reads)
    {
        if (channel.Address == 0 || _channels.Of(channel) is not { } layout)
        {
            ChannelFacts.AddWaiters(_facts, queue.Count, queue.IsWhole, reads);
            return;
        }
        if (layout.Items is { } field)
            ChannelFacts.AddItems(_facts, _count.Of(channel.At(field)), layout.Capacity is { } bound ? channel.Int32(bound) : null);
        else
            _facts.Add(WaitFactKey.NoBuffer);
        (long waiting, bool isWhole) = CountAll(channel, layout, reads);
        ChannelFacts.AddWaiters(_facts, waiting, isWhole, reads);
        if (channel.Reference(layout.DoneWriting) != 0)
            _facts.Add(WaitFactKey.Completed);
    }

    // ReadAsync and WaitToReadAsync have queues of their own; both are readers to a user.
    private (long Count, bool IsWhole) CountAll(HeapObject channel, ChannelLayout layout, bool reads)
    {
        long total = 0;
        bool isWhole = true;
        foreach ((int field, ChannelOperation operation) in layout.Queues)
        {
            HeapObject head = channel.At(field);
            if (ChannelFacts.Reads(operation) != reads || head.Address == 0)
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
