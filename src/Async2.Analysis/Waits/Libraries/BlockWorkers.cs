using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Targets;
using Async2.Analysis.Waits.Reading;

namespace Async2.Analysis.Waits.Libraries;

/// <summary>
/// Async delegates of a Dataflow <c>ActionBlock</c> (System.Threading.Tasks.Dataflow 10.0.12): the block has itself called when one of their tasks is done, and an item takes its room until then.
/// </summary>
/// <param name="target">The target.</param>
internal sealed class BlockWorkers(Target target)
{
    private const string Block = "System.Threading.Tasks.Dataflow.ActionBlock<";

    private readonly ObjectFields _fields = new(target);

    /// <summary>The block that a continuation of a task tells that the task is done; 0 for none.</summary>
    /// <param name="continuation">The task that ContinueWith has made.</param>
    public ulong Behind(ulong continuation)
        => _fields.Follow(new(target.Memory, continuation), "m_stateObject") is { Address: not 0 } state && IsBlock(state) ? state.Address : 0;

    /// <summary>How many items a block handles at once; null if it is not such a block, or there is no limit.</summary>
    public int? LimitOf(ulong block)
        => new HeapObject(target.Memory, block) is var item && IsBlock(item) && _fields.Int32(_fields.Follow(item, "_defaultTarget", "_dataflowBlockOptions"), "_maxDegreeOfParallelism") is > 0 and var limit ? limit : null;

    private bool IsBlock(HeapObject item) => TypeLookup.OfObject(target.Runtime, target.Memory, item.Address)?.Name?.StartsWith(Block, StringComparison.Ordinal) == true;
}
