using Async2.Analysis.Holders.Flow;
using Async2.Analysis.Holders.Kept;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Targets;
using Async2.Analysis.Waits.Operations;
using Async2.Analysis.Waits.Reading;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Holders;

/// <summary>
/// Reads channels as mailboxes: which one an object stands for, what is in it, and which promises those complete who take that out. Pipes and BlockingCollections are read like
/// them, as far as it is about room.
/// </summary>
/// <param name="target">The target.</param>
internal sealed class Mailboxes(Target target)
{
    private const string Channels = "System.Threading.Channels.";
    private const string Source = PromiseCalls.Source;
    private const int EndDistance = 3;
    private const int DepthLimit = 7;
    // A dictionary has tables, buckets, nodes, and values.
    private const int NearLimit = 6;
    private const int ObjectLimit = 2000;
    private const int ReferenceLimit = 1000;

    private const string Pipes = "System.IO.Pipelines.Pipe";
    private const string Collections = "System.Collections.Concurrent.BlockingCollection<";

    // From a reader to its channel, and from the enumerator of ReadAllAsync to the reader; from an end of a pipe to it.
    private static readonly string[] Ends = ["_parent", "<>4__this", "_pipe"];

    // What these refer to is another story: who waits, other mailboxes, the process.
    private static readonly string[] Others = [Channels, "System.Threading.Tasks.", "System.Threading.Thread", "System.Threading.Timer", "System.Threading.Cancellation", "System.Runtime.CompilerServices.", "System.Reflection.", "System.RuntimeType", "System.String"];

    private readonly ObjectFields _fields = new(target);
    private readonly LayoutCache<ChannelLayout> _channels = new(target.Runtime, ChannelLayout.Of);

    /// <summary>The channel that an object is, or an end of which, or whose items it enumerates; 0 for none.</summary>
    public ulong ChannelOf(ulong item)
    {
        for (int i = 0; i <= EndDistance && item != 0; i++)
        {
            if (_channels.Of(new(target.Memory, item)) is not null)
                return item;
            if (FieldsAt.Of(target, item) is not { } fields || fields.Type.Name?.StartsWith(Channels, StringComparison.Ordinal) != true)
                return 0;
            item = EndOf(fields);
        }
        return 0;
    }

    /// <summary>What an object stands for that is used in a way: the channel or pipe that it is an end of, the collection that it enumerates, or itself; 0 for none.</summary>
    public ulong StandsFor(FrameUse use, ulong item) => use switch
    {
        FrameUse.Reads => ChannelOf(item),
        FrameUse.Drains => Behind(item, Pipes, name => name == Pipes),
        FrameUse.Takes or FrameUse.Shares => Behind(item, Collections, name => name.StartsWith(Collections, StringComparison.Ordinal) && name.EndsWith('>')),
        _ => item,
    };

    /// <summary>A pipe has been given a stream that writes to it (<c>PipeWriter._stream</c>, System.IO.Pipelines 10.0.12): who has that stream may do so, and no code says it.</summary>
    public bool IsFilledByStream(ulong pipe) => _fields.Follow(new(target.Memory, pipe), "_writer", "_stream").Address != 0;

    /// <summary>It is a channel or a pipe, or an end of one.</summary>
    public bool IsQueue(ulong item) => ChannelOf(item) != 0 || StandsFor(FrameUse.Drains, item) != 0;

    private ulong Behind(ulong item, string types, Func<string, bool> isMeant)
    {
        for (int i = 0; i <= EndDistance && item != 0; i++)
        {
            if (FieldsAt.Of(target, item) is not { Type.Name: { } name } fields || !name.StartsWith(types.TrimEnd('<'), StringComparison.Ordinal))
                return 0;
            if (isMeant(name))
                return item;
            item = EndOf(fields);
        }
        return 0;
    }

    private ulong EndOf(FieldsAt fields)
        => Ends.Select(fields.Type.GetFieldByName).FirstOrDefault(field => field is { IsObjectReference: true, Offset: >= 0 }) is { } end
            && target.Memory.TryReadPointer(fields.Address + (ulong)end.Offset, out ulong next) ? next : 0;

    /// <summary>Address of the collection of what was written and not read yet; 0 if the channel has none.</summary>
    public ulong ItemsOf(ulong channel)
        => new HeapObject(target.Memory, channel) is var item && _channels.Of(item)?.Items is { } field ? item.Reference(field) : 0;

    /// <summary>
    /// Objects that only a reader of a channel takes something from: what was written, the operations of those who wait to write, and the last ones of the reader
    /// itself, which still have what it has read and who waited (System.Threading.Channels 10.0.12, AsyncOperation.TryOwnAndReset).
    /// </summary>
    public IEnumerable<ulong> KeptIn(ulong channel)
    {
        foreach (ulong owner in (ulong[])[channel, .. ReadersOf(channel)])
        {
            foreach (ulong operation in Held(owner, type => type.Contains("AsyncOperation", StringComparison.Ordinal)))
                yield return operation;
        }
        if (ItemsOf(channel) is not 0 and var items)
            yield return items;
    }

    /// <summary>The readers of a channel.</summary>
    public IEnumerable<ulong> ReadersOf(ulong channel) => Held(channel, type => type.EndsWith("ChannelReader", StringComparison.Ordinal));

    private IEnumerable<ulong> Held(ulong owner, Func<string, bool> isMeant)
    {
        if (FieldsAt.Of(target, owner) is not { } fields)
            yield break;
        foreach (ClrInstanceField field in fields.Type.Fields.Where(field => field is { IsObjectReference: true, Offset: >= 0 }))
        {
            if (target.Memory.TryReadPointer(fields.Address + (ulong)field.Offset, out ulong held) && FieldsAt.Of(target, held)?.Type.Name is { } name
                && name.StartsWith(Channels, StringComparison.Ordinal) && isMeant(name.Split('<')[0]) | isMeant(name))
                yield return held;
        }
    }

    /// <summary>Where what a collection has is found: of a channel, or one of its ends, the collection of what was written.</summary>
    public ulong ItemsBehind(ulong collection) => ChannelOf(collection) is not 0 and var channel ? ItemsOf(channel) : collection;

    /// <summary>Delegates that are found from a collection, not far from it.</summary>
    /// <param name="collection">Its address.</param>
    public IEnumerable<ulong> DelegatesIn(ulong collection) => Search([ItemsBehind(collection)], NearLimit, DelegateTargets.IsDelegate).Select(found => found.Item.Address);

    /// <summary>Promises whose TaskCompletionSource is found from a collection, not far from it.</summary>
    /// <param name="collection">Its address.</param>
    public IEnumerable<ulong> PromisesIn(ulong collection) => PromisesIn([ItemsBehind(collection)], NearLimit);

    /// <summary>Promises whose TaskCompletionSource is found from objects.</summary>
    /// <param name="items">The objects.</param>
    /// <param name="distance">How far away it may be.</param>
    public IEnumerable<ulong> PromisesIn(IEnumerable<ulong> items, int distance)
        => Search(items, distance, IsSource).Select(found => found.Item.TryReadObjectField("_task", out ClrObject task) ? task.Address : 0).Where(task => task != 0);

    /// <summary>Channels that are found from a collection of them, or of their ends, not far from it.</summary>
    /// <param name="collection">Its address.</param>
    public IEnumerable<ulong> ChannelsIn(ulong collection)
        => Search([collection], NearLimit, type => !type.IsArray && type.Name?.StartsWith(Channels, StringComparison.Ordinal) == true).Select(found => ChannelOf(found.Item.Address)).Where(channel => channel != 0);

    /// <summary>Promises whose TaskCompletionSource is found from objects, nearest first, with the distance.</summary>
    /// <param name="roots">The objects.</param>
    public IEnumerable<(ulong Promise, int Distance)> PromisesFrom(IEnumerable<ulong> roots)
        => Search(roots, DepthLimit, IsSource).Select(found => (found.Item.TryReadObjectField("_task", out ClrObject task) ? task.Address : 0, found.Distance)).Where(found => found.Item1 != 0);

    // An array of them is a collection.
    private static bool IsSource(ClrType type) => !type.IsArray && type.Name?.StartsWith(Source, StringComparison.Ordinal) == true;

    // Breadth first; what is meant is not followed.
    private IEnumerable<(ClrObject Item, int Distance)> Search(IEnumerable<ulong> roots, int depth, Func<ClrType, bool> isMeant)
    {
        var seen = new HashSet<ulong>(roots);
        var ahead = new Queue<(ulong Item, int Distance)>(seen.Select(root => (root, 0)));
        while (seen.Count < ObjectLimit && ahead.TryDequeue(out (ulong Item, int Distance) next))
        {
            ClrObject item = target.Runtime.Heap.GetObject(next.Item);
            if (item.Type is not { } type)
                continue;
            if (isMeant(type))
            {
                yield return (item, next.Distance);
            }
            else if (next.Distance < depth && (next.Distance == 0 || !IsOther(type)))
            {
                foreach (ClrObject held in item.EnumerateReferences(carefully: true, considerDependantHandles: false).Take(ReferenceLimit))
                {
                    if (seen.Add(held.Address))
                        ahead.Enqueue((held.Address, next.Distance + 1));
                }
            }
        }
    }

    // Also a type of the user's own that is derived from one of them; an array has what is in it.
    private static bool IsOther(ClrType type)
        => !type.ContainsPointers || (!type.IsArray && BaseTypes.Of(type).Any(level => Array.Exists(Others, prefix => level.Name?.StartsWith(prefix, StringComparison.Ordinal) == true)));
}
