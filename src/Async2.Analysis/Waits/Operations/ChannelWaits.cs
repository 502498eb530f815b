using System.Collections.Immutable;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Model;
using Async2.Analysis.Waits.Libraries;
using Async2.Analysis.Waits.Reading;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Waits.Operations;

/// <summary>Reads and writes of channels, and their ends. An operation does not know its channel: it is the one that names an operation of the same queue.</summary>
internal sealed class ChannelWaits(WaitReaderContext all) : IWaitFamily<ChannelWaits>
{
    public static IReadOnlyList<KnownWait> Names { get; } =
    [
        new("System.Threading.Channels.", WaitKind.Channel, "Channel", "Channel"),
    ];

    // What Reader.Completion gives.
    public static IReadOnlyList<LibraryObject> Objects { get; } =
        [.. ((string[])["UnboundedChannel<", "BoundedChannel<", "SingleConsumerUnboundedChannel<", "UnboundedPrioritizedChannel<", "RendezvousChannel<"]).Select(type => new LibraryObject("System.Threading.Channels." + type, "_completion", "_task"))];

    private readonly LayoutCache<ChannelLayout> _channels = all.Layouts(ChannelLayout.Of);
    private readonly LayoutCache<ChannelOperationLayout> _operations = all.Layouts(ChannelOperationLayout.Of);
    private readonly CollectionCount _count = new(all);
    private readonly NpgsqlWaits _npgsql = new(all);
    private readonly SignalRWaits _signalR = new(all);
    private readonly WaiterQueues _queues = new(isRing: true);
    private readonly Dictionary<(WaiterQueue Queue, ChannelOperation Operation), WaitReason> _reasons = [];
    private readonly WaitFactList _facts = new();
    private Dictionary<ulong, ulong>? _byHead;

    public static bool IsResource(ClrType type, int pointerSize) => ChannelLayout.Of(type, pointerSize) is not null;

    public static ChannelWaits Open(WaitReaderContext all) => new(all);

    public WaitStepReader? ReaderOf(ClrType type)
        => ChannelOperationLayout.Of(type, all.PointerSize) is { } layout ? address => new(Read(all.At(address), layout, type)) : null;

    public WaitReason? ReadOwner(HeapObject owner, LibraryObject kind)
    {
        if (_channels.Of(owner) is not { } layout)
            return null;
        AddItems(owner, layout);
        AddEnd(owner, layout);
        return new(WaitKind.Channel, ChannelFacts.NameOf(TypeLookup.Of(all.Target.Runtime, owner.MethodTable())), WaitAction.Completion) { Resource = owner.Address, Shared = _facts.Take() };
    }

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

    // The facts that all waiters of the same queue of a channel share.
    private WaitReason OfAll(HeapObject channel, WaiterQueue queue, ChannelOperation operation, ClrType type)
    {
        if (operation == ChannelOperation.Read && channel.Address != 0 && (_npgsql.OfChannel(channel, queue.Count) ?? _signalR.OfChannel(channel, queue.Count)) is { } library)
            return library;
        // The item type is in the type name of the channel; without the channel, the type of the operation may have it.
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
        AddItems(channel, layout);
        (long waiting, bool isWhole) = CountAll(channel, layout, reads);
        ChannelFacts.AddWaiters(_facts, waiting, isWhole, reads);
        AddEnd(channel, layout);
    }

    private void AddItems(HeapObject channel, ChannelLayout layout)
    {
        if (layout.Items is { } field)
            ChannelFacts.AddItems(_facts, _count.Of(channel.At(field)), layout.Capacity is { } bound ? channel.Int32(bound) : null);
        else
            _facts.Add(WaitFactKey.NoBuffer);
    }

    private void AddEnd(HeapObject channel, ChannelLayout layout)
    {
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
            // The only reader of a single-consumer channel is not in a ring.
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

/// <summary>What an operation that waits for a channel wants.</summary>
internal enum ChannelOperation
{
    Read,
    Write,
    WaitToRead,
    WaitToWrite,
}

/// <summary>An operation that waits for a channel (System.Threading.Channels 10.0.12, AsyncOperation.cs).</summary>
/// <param name="Operation">What it wants.</param>
/// <param name="Node">Where it stands in the queue.</param>
/// <param name="Token">Node of its registration with a token.</param>
internal sealed record ChannelOperationLayout(ChannelOperation Operation, QueueNodeLayout Node, int? Token)
{
    private static readonly (string Prefix, ChannelOperation Operation)[] Names =
    [
        ("System.Threading.Channels.BlockedReadAsyncOperation<", ChannelOperation.Read),
        ("System.Threading.Channels.BlockedWriteAsyncOperation<", ChannelOperation.Write),
        ("System.Threading.Channels.WaitingReadAsyncOperation", ChannelOperation.WaitToRead),
        ("System.Threading.Channels.WaitingWriteAsyncOperation", ChannelOperation.WaitToWrite),
    ];

    public static ChannelOperationLayout? Of(ClrType type, int pointerSize)
    {
        foreach ((string prefix, ChannelOperation operation) in Names)
        {
            if (type.Name?.StartsWith(prefix, StringComparison.Ordinal) == true && QueueNodeLayout.OfOperation(type, pointerSize) is { } node)
                return new(operation, node, TokenLayouts.RegistrationIn(type, pointerSize, "_cancellationRegistration"));
        }
        return null;
    }
}

/// <summary>
/// A channel: <c>BoundedChannel</c>, <c>UnboundedChannel</c>, <c>SingleConsumerUnboundedChannel</c>,
/// <c>UnboundedPrioritizedChannel</c>, <c>RendezvousChannel</c> (System.Threading.Channels 10.0.12).
/// </summary>
internal sealed record ChannelLayout
{
    private const string Prefix = "System.Threading.Channels.";

    // A single-consumer channel has a queue of at most one reader.
    private static readonly (string Name, ChannelOperation Operation)[] QueueNames =
    [
        ("_blockedReadersHead", ChannelOperation.Read),
        ("_blockedReader", ChannelOperation.Read),
        ("_waitingReadersHead", ChannelOperation.WaitToRead),
        ("_waitingReader", ChannelOperation.WaitToRead),
        ("_blockedWritersHead", ChannelOperation.Write),
        ("_waitingWritersHead", ChannelOperation.WaitToWrite),
    ];

    /// <summary>Offsets of the first waiters of each kind.</summary>
    public required IReadOnlyList<(int Head, ChannelOperation Operation)> Queues { get; init; }

    /// <summary>Exception that ends the channel; null while it is open.</summary>
    public required int DoneWriting { get; init; }

    /// <summary>The collection of items; null for a rendezvous, which has none.</summary>
    public int? Items { get; init; }

    /// <summary>int; null if there is no bound.</summary>
    public int? Capacity { get; init; }

    public static ChannelLayout? Of(ClrType type, int pointerSize)
    {
        if (type.Name is not { } name || !name.StartsWith(Prefix, StringComparison.Ordinal)
            || FieldPath.Find(type, pointerSize, "_doneWriting") is not { } done)
            return null;
        (int, ChannelOperation)[] queues =
        [
            .. QueueNames.Select(q => (Head: FieldPath.Find(type, pointerSize, q.Name), q.Operation))
                .Where(q => q.Head is not null)
                .Select(q => (q.Head!.Value, q.Operation)),
        ];
        return queues.Length == 0 ? null : new()
        {
            Queues = queues,
            DoneWriting = done,
            Items = FieldPath.Find(type, pointerSize, "_items"),
            Capacity = FieldPath.Find(type, pointerSize, "_bufferedCapacity"),
        };
    }
}
