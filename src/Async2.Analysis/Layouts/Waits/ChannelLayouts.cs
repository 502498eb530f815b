using Async2.Analysis.Layouts.Types;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Layouts.Waits;

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

    // The one reader that a channel for a single consumer may have is a queue of at most one.
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

    /// <summary>int; null when there is no bound.</summary>
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
