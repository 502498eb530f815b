using Async2.Analysis.Layouts;
using Async2.Analysis.Nodes;
using Async2.Analysis.Targets.Memory;

namespace Async2.Analysis.Families.Tasklets;

/// <summary>Follows the chains of some owners.</summary>
internal sealed class OwnedChains(TaskletReader reader, TaskletCollector collector, ChainOwnerLayout? fields)
{
    private const int CancellationInterval = 0xff;

    /// <summary>In the order of the owners.</summary>
    public List<OwnedChain> Found { get; } = [];

    public TaskletCollector Collector => collector;

    /// <param name="owned">Owners, with the address of their innermost tasklet.</param>
    /// <param name="start">The first one that is taken.</param>
    /// <param name="end">The first one behind.</param>
    /// <param name="cancellation">Ends it early.</param>
    public void Take(IReadOnlyList<PendingObject> owned, int start, int end, CancellationToken cancellation)
    {
        for (int i = start; i < end; i++)
        {
            if ((i & CancellationInterval) == 0 && cancellation.IsCancellationRequested)
                return;
            PendingObject owner = owned[i];
            (ulong outermost, bool isActive) = collector.Take(owner.StateObject);
            if (outermost != 0)
                Found.Add(new(owner.Address, owner.StateObject, outermost, isActive || Runs(owner.Address) ? OperationState.Running : OperationState.Suspended));
        }
    }

    // Its captured frames are the callers of the running method.
    private bool Runs(ulong owner)
        => fields is { SuspendActive: >= 0 and var offset } && reader.TryRead(owner + (ulong)offset, sizeof(int), out NativeBytes frames)
            && frames.Int32(0) == 0;
}
