using Async2.Analysis.Metadata.Names;
using Async2.Analysis.Model;
using Async2.Analysis.Waits.Reading;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Waits.Operations;

/// <summary>What is read of a channel, whichever runtime it is of.</summary>
internal static class ChannelFacts
{
    /// <summary><c>Channel&lt;int&gt;</c>.</summary>
    /// <param name="named">A type with the item's as its argument.</param>
    public static string NameOf(ClrType? named)
        => named?.Name is { } name && TypeName.ArgumentsOf(name) is [var only, ..] ? $"Channel<{TypeName.Short(only)}>" : "Channel";

    /// <summary>Items; nothing when their number is not known.</summary>
    public static void AddItems(WaitFactList facts, long? count, int? capacity)
    {
        if (count is { } items)
            facts.Add(WaitFactKey.Items, items, of: capacity);
    }

    public static void AddWaiters(WaitFactList facts, long count, bool isWhole, bool reads)
        => facts.Add(reads ? WaitFactKey.ReadersWaiting : WaitFactKey.WritersWaiting, count, isBound: !isWhole);

    public static WaitAction ActionOf(ChannelOperation operation) => operation switch
    {
        ChannelOperation.Read => WaitAction.Read,
        ChannelOperation.Write => WaitAction.Write,
        ChannelOperation.WaitToRead => WaitAction.WaitToRead,
        _ => WaitAction.WaitToWrite,
    };

    public static bool Reads(ChannelOperation operation) => operation is ChannelOperation.Read or ChannelOperation.WaitToRead;
}
