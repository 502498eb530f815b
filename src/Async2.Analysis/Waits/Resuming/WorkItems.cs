using Async2.Analysis.Awaiters;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Layouts.Waits;
using Async2.Analysis.Waits.Reading;

namespace Async2.Analysis.Waits.Resuming;

/// <summary>Follows what is queued somewhere to the operations that it will resume.</summary>
/// <param name="all">The target's objects.</param>
/// <param name="awaiters">Follows delegates and wrappers.</param>
internal sealed class WorkItems(WaitReaderContext all, AwaiterReader awaiters)
{
    private readonly LayoutCache<WorkItemLayout> _layouts = all.Layouts(WorkItemLayout.Of);

    /// <param name="item">A work item, or the state that a callback will be given.</param>
    /// <param name="found">Receives the addresses of tasks and boxes.</param>
    public void Resumed(ulong item, List<ulong> found)
    {
        HeapObject queued = all.At(item);
        awaiters.Read(_layouts.Of(queued) is { } layout ? queued.Reference(layout.State) : item, found);
    }
}
