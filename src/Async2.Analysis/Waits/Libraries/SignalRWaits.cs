using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Model;
using Async2.Analysis.Waits.Reading;

namespace Async2.Analysis.Waits.Libraries;

/// <summary>
/// SignalR (Microsoft.AspNetCore.SignalR.Core 10.0.12): a server executes so many calls of one client at a time (HubOptions.MaximumParallelInvocationsPerClient, which is 1), and reads no
/// message of that client while one more waits. It waits for an item of the channel of a ChannelBasedSemaphore.
/// </summary>
internal sealed class SignalRWaits(WaitReaderContext all) : IWaitFamily<SignalRWaits>
{
    private static readonly LibraryObject Slots = new("Microsoft.AspNetCore.SignalR.Internal.ChannelBasedSemaphore");

    private readonly WaitFactList _facts = new();
    private Dictionary<ulong, HeapObject>? _byChannel;

    public static IReadOnlyList<LibraryObject> Objects { get; } = [Slots];

    public static SignalRWaits Open(WaitReaderContext all) => new(all);

    /// <summary>What the reader of a channel waits for, when its items stand for calls; null if it is any other channel.</summary>
    /// <param name="channel">The channel.</param>
    /// <param name="waiting">How many wait.</param>
    public WaitReason? OfChannel(HeapObject channel, int waiting)
    {
        _byChannel ??= all.Library.By(Slots, slots => all.Fields.Follow(slots, "_channel"));
        if (!_byChannel.TryGetValue(channel.Address, out HeapObject found))
            return null;
        _facts.Add(WaitFactKey.Free, 0, of: all.Fields.Int32(channel, "_bufferedCapacity"));
        _facts.Add(WaitFactKey.Waiting, waiting);
        return new(WaitKind.Semaphore, "SignalR calls of a client") { Resource = found.Address, Shared = _facts.Take() };
    }
}
