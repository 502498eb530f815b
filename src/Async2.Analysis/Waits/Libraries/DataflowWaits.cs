using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Layouts.Waits;
using Async2.Analysis.Layouts;
using Async2.Analysis.Waits.Reading;

namespace Async2.Analysis.Waits.Libraries;

/// <summary>Blocks of TPL Dataflow: their completion, an item that nobody takes, an item that has not come.</summary>
internal sealed class DataflowWaits(WaitReaderContext all)
{
    private readonly CollectionCount _count = new(all);

    /// <param name="owner">What completes the task.</param>
    /// <param name="kind">What that is.</param>
    public WaitFacts? Read(HeapObject owner, LibraryObject kind) => kind switch
    {
        LibraryObject.BlockTarget => OfTarget(owner),
        LibraryObject.BlockSource => OfSource(all.Fields.Follow(owner, "_owningSource"), owner, "completion"),
        LibraryObject.BlockSend => OfSend(all.Fields.Follow(owner, "_target")),
        LibraryObject.BlockReceive => OfReceive(owner),
        _ => null,
    };

    private WaitFacts OfTarget(HeapObject core)
    {
        HeapObject block = all.Fields.Follow(core, "_owningTarget");
        string? running = all.Fields.Int32(core, "_numberOfOutstandingOperations") is > 0 and var count ? FormattableString.Invariant($"{count} running") : null;
        return Facts(block, "completion", WaitText.Join(Queued(core), running));
    }

    private WaitFacts OfSource(HeapObject block, HeapObject core, string verb) => Facts(block, verb, Queued(core));

    private WaitFacts OfSend(HeapObject block)
    {
        HeapObject bounds = all.Fields.Follow(block, "_boundingState");
        string? state = all.Fields.Int32(bounds, "CurrentCount") is { } count && all.Fields.Int32(bounds, "BoundedCapacity") is { } capacity
            ? FormattableString.Invariant($"{count} of {capacity} items") : null;
        return Facts(block, "send", state);
    }

    // The way to take it out of the block's list again knows the list.
    private WaitFacts OfReceive(HeapObject target)
    {
        HeapObject block = all.Fields.Follow(target, "_unlink", "_arg2", "_owningSource");
        HeapObject core = all.Fields.Follow(block, "_source");
        return block.Address == 0 ? new(WaitFamily.Task, "dataflow receive", null, null, 0) : OfSource(block, core, "receive");
    }

    private string? Queued(HeapObject core) => _count.Of(all.Fields.Follow(core, "_messages")) is { } count ? FormattableString.Invariant($"{count} queued") : null;

    private WaitFacts Facts(HeapObject block, string verb, string? state)
        => new(WaitFamily.Channel, $"{all.Fields.TypeOf(block) ?? "dataflow block"} {verb}", state, null, block.Address);
}
