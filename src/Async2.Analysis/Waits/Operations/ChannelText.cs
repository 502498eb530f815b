using Async2.Analysis.Layouts.Waits;
using Async2.Analysis.Metadata.Names;
using Async2.Analysis.Waits.Reading;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Waits.Operations;

/// <summary>What is said of a channel, whichever runtime it is of.</summary>
internal static class ChannelText
{
    /// <summary><c>Channel&lt;int&gt; wait to read</c>.</summary>
    /// <param name="named">A type with the item's as its argument.</param>
    /// <param name="operation">What is waited for.</param>
    public static string What(ClrType? named, ChannelOperation operation)
    {
        string item = named?.Name is { } name && TypeName.ArgumentsOf(name) is [var only, ..] ? $"<{TypeName.Short(only)}>" : "";
        return $"Channel{item} " + operation switch
        {
            ChannelOperation.Read => "read",
            ChannelOperation.Write => "write",
            ChannelOperation.WaitToRead => "wait to read",
            _ => "wait to write",
        };
    }

    /// <summary><c>3 of 5 items</c>; null when their number is not known.</summary>
    public static string? Items(long? count, int? capacity)
        => count is null ? null : capacity is null ? WaitText.Count(count.Value, "item") : FormattableString.Invariant($"{count} of {capacity} items");

    /// <summary><c>2 readers waiting</c>.</summary>
    public static string Waiters(long count, bool isWhole, bool reads)
        => (isWhole ? "" : "at least ") + WaitText.Count(count, reads ? "reader waiting" : "writer waiting", reads ? "readers waiting" : "writers waiting");

    public static bool Reads(ChannelOperation operation) => operation is ChannelOperation.Read or ChannelOperation.WaitToRead;
}
