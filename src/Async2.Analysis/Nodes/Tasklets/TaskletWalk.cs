using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Descriptions;
using Async2.Analysis.Nodes.Heap;
using Async2.Analysis.Targets;

namespace Async2.Analysis.Nodes.Tasklets;

/// <summary>What was found of tasklets.</summary>
/// <param name="Layout">Where their fields are.</param>
/// <param name="Rows">One for each tasklet.</param>
/// <param name="Chains">Those with an owner first, in the order of the owners.</param>
/// <param name="IsWhole">False when the list of live ones could not be read to its end.</param>
internal sealed record TaskletsFound(TaskletLayout Layout, SegmentRows Rows, IReadOnlyList<TaskletChain> Chains, bool IsWhole);

/// <summary>
/// Finds the tasklets of a target both ways: from their owners on the heap, which is the way that works in every dump with a heap,
/// and from the runtime's list of live ones, which has those that nothing owns.
/// </summary>
internal sealed class TaskletWalk(TargetMemory memory, LayoutFacts facts, TaskletOwnerLayout? owners, SiteTable sites, ProblemLog problems)
{
    private const int CancellationInterval = 0xff;

    /// <summary>Null when the target has none, or when nobody can say where their fields are.</summary>
    /// <param name="owned">Owners with the address of their innermost tasklet, by address.</param>
    /// <param name="cancellation">Ends it early.</param>
    public TaskletsFound? Run(IReadOnlyList<PendingObject> owned, CancellationToken cancellation)
    {
        if (Layout(owned) is not { } layout)
            return null;
        var reader = new TaskletReader(memory, layout);
        var gatherer = new TaskletGatherer(reader, sites, problems);
        var chains = new List<TaskletChain>();
        foreach (PendingObject owner in owned)
        {
            if ((chains.Count & CancellationInterval) == 0 && cancellation.IsCancellationRequested)
                break;
            (ulong outermost, bool isActive) = gatherer.Take(owner.StateObject);
            if (outermost != 0)
                chains.Add(new(owner.Address, owner.StateObject, outermost, isActive || Runs(owner.Address) ? TaskletState.Running : TaskletState.Suspended));
        }
        var list = new LiveList(memory, reader, problems);
        foreach (ulong innermost in new Orphans(reader, gatherer).Begin(list.Read()))
        {
            if (gatherer.HasMet(innermost) || cancellation.IsCancellationRequested)
                continue;
            (ulong outermost, bool isActive) = gatherer.Take(innermost);
            if (outermost != 0)
                chains.Add(new(0, innermost, outermost, isActive ? TaskletState.Running : TaskletState.Orphan));
        }
        return chains.Count > 0 || owned.Count > 0 || !list.IsWhole ? new(layout, gatherer.Finish(), chains, list.IsWhole) : null;
    }

    // Its captured frames are the callers of what it runs.
    private bool Runs(ulong owner)
        => owners is { SuspendActive: >= 0 } layout && memory.TryReadUInt32(owner + (ulong)layout.SuspendActive, out uint frames) && frames == 0;

    private TaskletLayout? Layout(IReadOnlyList<PendingObject> owned)
    {
        TaskletLayout? described = TaskletLayout.Of(facts, out string? fault);
        if (fault is not null)
            problems.Add(ProblemCodes.UnknownLayout, $"tasklets are not read: {fault}");
        return described is not null || fault is not null || owned.Count == 0 ? described : TaskletGuess.Of(memory, facts, owned);
    }
}
