using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Model;
using Async2.Analysis.Waits.Reading;

namespace Async2.Analysis.Waits.Libraries;

/// <summary>Blocks of TPL Dataflow: their completion, an item that nobody takes, an item that has not come.</summary>
internal sealed class DataflowWaits(WaitReaderContext all) : IWaitFamily<DataflowWaits>
{
    private const string Dataflow = "System.Threading.Tasks.Dataflow.";
    private const int BlockLimit = 32;

    // The target and source halves of a block, a pending SendAsync, and a pending ReceiveAsync.
    private static readonly LibraryObject Target = new(Dataflow + "Internal.TargetCore<", "_completionSource", "_task");
    private static readonly LibraryObject Source = new(Dataflow + "Internal.SourceCore<", "_completionTask", "_task");
    private static readonly LibraryObject Sender = new(Dataflow + "DataflowBlock+SendAsyncSource<", "_task");
    private static readonly LibraryObject Receiver = new(Dataflow + "DataflowBlock+ReceiveTarget<", "_task");

    public static IReadOnlyList<LibraryObject> Objects { get; } = [Target, Source, Sender, Receiver];

    private readonly CollectionCount _count = new(all);
    private readonly BlockOutputs _outputs = new(all, Source);
    private readonly WaitFactList _facts = new();

    public static DataflowWaits Open(WaitReaderContext all) => new(all);

    public WaitReason? ReadOwner(HeapObject owner, LibraryObject kind) => kind == Target ? OfTarget(owner)
        : kind == Source ? OfSource(all.Fields.Follow(owner, "_owningSource"), owner, WaitAction.Completion)
        : kind == Sender ? OfSend(all.Fields.Follow(owner, "_target"))
        : OfReceive(owner);

    private WaitReason OfTarget(HeapObject core)
    {
        AddQueued(core);
        if (all.Fields.Int32(core, "_numberOfOutstandingOperations") is > 0 and var count)
            _facts.Add(WaitFactKey.Working, count);
        HeapObject block = all.Fields.Follow(core, "_owningTarget");
        AddEnd(block);
        return Reason(block, WaitAction.Completion);
    }

    private WaitReason OfSource(HeapObject block, HeapObject core, WaitAction action)
    {
        AddQueued(core);
        if (action == WaitAction.Completion)
            AddEnd(block);
        return Reason(block, action);
    }

    private WaitReason OfSend(HeapObject block)
    {
        HeapObject bounds = _outputs.BoundsOf(block);
        if (all.Fields.Int32(bounds, "CurrentCount") is { } count && all.Fields.Int32(bounds, "BoundedCapacity") is { } capacity)
        {
            _facts.Add(WaitFactKey.Items, count, of: capacity);
            if (count >= capacity)
                AddStop(block, block);
        }
        return Reason(block, WaitAction.Send);
    }

    // The delegate that unlinks the receiver has the block.
    private WaitReason OfReceive(HeapObject target)
    {
        HeapObject block = all.Fields.Follow(target, "_unlink", "_arg2", "_owningSource");
        HeapObject core = all.Fields.Follow(block, "_source");
        return block.Address == 0 ? new(WaitKind.Task, "dataflow", WaitAction.Receive) : OfSource(block, core, WaitAction.Receive);
    }

    private void AddQueued(HeapObject core)
    {
        if (_count.Of(all.Fields.Follow(core, "_messages")) is { } count)
            _facts.Add(WaitFactKey.Queued, count);
    }

    // A block that is open ends when it is told to, or when one does that hands its end on. One that is not ends by itself, if its items go on.
    private void AddEnd(HeapObject block)
    {
        var needed = new List<HeapObject> { block };
        for (int i = 0; i < needed.Count; i++)
        {
            if (needed.Count > BlockLimit || _outputs.IsOpen(needed[i]) is not { } isOpen || (!isOpen && _outputs.StopOf(needed[i]) is null))
                return;
            if (isOpen)
                needed.AddRange(_outputs.Before(needed[i]).Where(before => !needed.Exists(known => known.Address == before.Address)));
        }
        foreach (HeapObject one in needed)
        {
            if (_outputs.IsOpen(one) == true)
                _facts.Add(WaitFactKey.StillOpen, (long)one.Address, TypeUnless(one, block));
            else
                AddStop(one, block);
        }
    }

    private void AddStop(HeapObject of, HeapObject block)
    {
        if (_outputs.StopOf(of) is not { } stop)
            return;
        string? type = TypeUnless(stop.Block, block);
        switch (stop.Kind)
        {
            case BlockObstacle.Unlinked:
                _facts.Add(WaitFactKey.Unlinked, (long)stop.Block.Address, type);
                break;
            case BlockObstacle.Refused:
                _facts.Add(WaitFactKey.FitsNoLink, stop.Count, type);
                break;
            default:
                _facts.Add(WaitFactKey.LinkedInRing, stop.Count, type);
                break;
        }
    }

    // Of another block, the type tells which one it is.
    private string? TypeUnless(HeapObject block, HeapObject waitedFor) => block.Address == waitedFor.Address ? null : all.Fields.TypeOf(block) ?? "another block";

    private WaitReason Reason(HeapObject block, WaitAction action)
        => new(WaitKind.Channel, all.Fields.TypeOf(block) ?? "dataflow block", action) { Resource = block.Address, Shared = _facts.Take() };
}
