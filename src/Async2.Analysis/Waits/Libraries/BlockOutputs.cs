using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Waits.Reading;

namespace Async2.Analysis.Waits.Libraries;

/// <summary>What keeps the items of Dataflow blocks from going on.</summary>
internal enum BlockObstacle
{
    /// <summary>The block is linked to nothing.</summary>
    Unlinked,

    /// <summary>The block's first item fits none of its links, and those behind it wait.</summary>
    Refused,

    /// <summary>The blocks are linked in a ring, and all of them are full.</summary>
    Ring,
}

/// <summary>A block out of which nothing gets by itself.</summary>
/// <param name="Kind">Why.</param>
/// <param name="Block">The block; of a ring, the one asked about.</param>
/// <param name="Count">Its links; of a ring, its blocks.</param>
internal readonly record struct BlockStop(BlockObstacle Kind, HeapObject Block, int Count);

/// <summary>
/// Follows the links of Dataflow blocks from one that has items to where these get stuck, and back from one that ends when others do. A block offers its first item to its links in order, and then waits: for a target that
/// has said that it will ask for it when it has room, or for a new link (System.Threading.Tasks.Dataflow 10.0.12, SourceCore.OfferToTargets and DataflowBlock.FilteredLinkPropagator).
/// </summary>
/// <param name="all">The target.</param>
/// <param name="sources">What the walk over the heap notes of blocks that have an output: their source halves.</param>
internal sealed class BlockOutputs(WaitReaderContext all, LibraryObject sources)
{
    private const int LinkLimit = 256;
    private const int BlockLimit = 64;

    // A link with a predicate, and one that counts, or that leads to a target which is linked already.
    private const string Filter = "System.Threading.Tasks.Dataflow.DataflowBlock+FilteredLinkPropagator<", Plain = "System.Threading.Tasks.Dataflow.Internal.TargetRegistry<";

    // Where blocks have how much is in them: BufferBlock; TransformBlock, TransformManyBlock and BatchBlock; ActionBlock.
    private static readonly string[][] Bounds = [["_boundingState"], ["_target", "_boundingState"], ["_defaultTarget", "_boundingState"]];

    private static readonly string[] Greedy = [.. new[] { "ActionBlock<", "TransformBlock<", "TransformManyBlock<", "BufferBlock<", "BroadcastBlock<" }.Select(block => "System.Threading.Tasks.Dataflow." + block)];

    // A token with which they were made.
    private static readonly string[][] Options = [.. new[] { "_defaultTarget", "_target", "_source" }.Select(half => new[] { half, "_dataflowBlockOptions", "_cancellationToken/_source" })];

    // Whether blocks take no more: ActionBlock; TransformBlock, TransformManyBlock and BatchBlock; BufferBlock.
    private static readonly string[][] Closed = [["_defaultTarget", "_decliningPermanently"], ["_target", "_decliningPermanently"], ["_targetDecliningPermanently"]];

    private readonly CollectionCount _count = new(all);
    private Dictionary<ulong, List<HeapObject>>? _before;

    /// <summary>How much is in a block that takes no more than so much; at address 0 for others.</summary>
    public HeapObject BoundsOf(HeapObject block)
    {
        foreach (string[] path in Bounds)
        {
            if (all.Fields.Follow(block, path) is { Address: not 0 } bounds)
                return bounds;
        }
        return block with { Address = 0 };
    }

    /// <summary>A block takes items, and so does not end by itself; null if that is not known, or a token ends it.</summary>
    public bool? IsOpen(HeapObject block)
    {
        if (Array.Exists(Options, path => all.Fields.Follow(block, path).Address != 0))
            return null;
        foreach (string[] path in Closed)
        {
            if (all.Fields.Follow(block, path.AsSpan(..^1)) is { Address: not 0 } holder && all.Fields.OffsetOf(holder, path[^1]) is { } offset)
                return holder.Byte(offset) is { } closed ? closed == 0 : null;
        }
        return null;
    }

    /// <summary>Blocks that hand their end on to a block (PropagateCompletion), and have not ended.</summary>
    public IReadOnlyList<HeapObject> Before(HeapObject block) => (_before ??= Links()).GetValueOrDefault(block.Address) ?? [];

    private Dictionary<ulong, List<HeapObject>> Links()
    {
        var before = new Dictionary<ulong, List<HeapObject>>();
        foreach (HeapObject source in all.Library.Of(sources))
        {
            foreach (HeapObject link in LinksOf(source) ?? [])
            {
                if (all.Fields.OffsetOf(link, "PropagateCompletion") is not { } handsOn || link.Byte(handsOn) is not > 0)
                    continue;
                ulong target = TargetOf(link, out _).Address;
                (before.TryGetValue(target, out List<HeapObject>? known) ? known : before[target] = []).Add(all.Fields.Follow(source, "_owningSource"));
            }
        }
        return before;
    }

    /// <summary>Where the items of a block get stuck; null if they go on, or that is not known.</summary>
    public BlockStop? StopOf(HeapObject block) => StopOf(block, []);

    private BlockStop? StopOf(HeapObject block, List<ulong> before)
    {
        if (before.IndexOf(block.Address) is >= 0 and var first)
            return new(BlockObstacle.Ring, block, before.Count - first);
        HeapObject source = all.Fields.Follow(block, "_source");
        if (before.Count == BlockLimit || !IsAtRest(source) || LinksOf(source) is not { } links)
            return null;
        BlockStop? stop = links.Count == 0 ? new(BlockObstacle.Unlinked, block, 0) : new(BlockObstacle.Refused, block, links.Count);
        foreach (HeapObject link in links)
        {
            HeapObject target = TargetOf(link, out bool isFilter);
            if (target.Address == 0)
                return null;
            if (isFilter && TakesAtOnce(target) && HasRoom(target))
                continue;
            // It may have refused the item, or wants it later: both come to the same if it never has room.
            if (HasRoom(target) || StopOf(target, [.. before, block.Address]) is not { } further)
                return null;
            stop = stop is { Kind: BlockObstacle.Refused } ? further : stop;
        }
        return stop;
    }

    // It has items, and does not offer them right now.
    private bool IsAtRest(HeapObject source)
        => source.Address != 0 && _count.Of(all.Fields.Follow(source, "_messages")) is > 0 && IsNone(source, "_taskForOutputProcessing") && IsNone(source, "_nextMessageReservedFor");

    private bool IsNone(HeapObject item, string field) => all.Fields.OffsetOf(item, field) is { } offset && item.At(offset).Address == 0;

    private List<HeapObject>? LinksOf(HeapObject source)
    {
        HeapObject registry = all.Fields.Follow(source, "_targetRegistry");
        if (all.Fields.OffsetOf(registry, "_firstTarget") is not { } first)
            return null;
        var links = new List<HeapObject>();
        for (HeapObject link = registry.At(first); link.Address != 0; link = all.Fields.Follow(link, "Next"))
        {
            if (links.Count == LinkLimit)
                return null;
            links.Add(link);
        }
        return links;
    }

    private HeapObject TargetOf(HeapObject link, out bool isFilter)
    {
        HeapObject target = all.Fields.Follow(link, "Target");
        string? type = all.Fields.TypeNameOf(target);
        isFilter = type?.StartsWith(Filter, StringComparison.Ordinal) == true;
        return isFilter || type?.StartsWith(Plain, StringComparison.Ordinal) == true ? all.Fields.Follow(target, "_target") : target;
    }

    // With room, it takes what it is offered. Others may put it off for something else: a JoinBlock or BatchBlock that is not greedy.
    private bool TakesAtOnce(HeapObject block) => all.Fields.TypeNameOf(block) is { } type && Array.Exists(Greedy, greedy => type.StartsWith(greedy, StringComparison.Ordinal));

    // Of a block without bounds, or of another kind, it is not known to be full.
    private bool HasRoom(HeapObject block)
        => BoundsOf(block) is not { Address: not 0 } bounds || all.Fields.Int32(bounds, "CurrentCount") is not { } count || all.Fields.Int32(bounds, "BoundedCapacity") is not { } capacity || count < capacity;
}
