using Async2.Analysis.Layouts.Types;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Layouts.Waits;

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
/// <param name="Capacity">int; null when there is no bound.</param>
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
