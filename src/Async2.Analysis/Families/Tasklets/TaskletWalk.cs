using Async2.Analysis.Families.Contract;
using Async2.Analysis.Model;
using Async2.Analysis.Nodes;
using Async2.Analysis.Targets.Contract;

namespace Async2.Analysis.Families.Tasklets;

/// <summary>
/// Finds the tasklets of a target both ways: from their owners on the heap, which is the way that works in every dump with a heap,
/// and from the runtime's list of live ones, which has those that nothing owns.
/// </summary>
internal sealed class TaskletWalk(FamilyContext context) : IFamilyReader
{
    // Owners for which a second thread is not worth its start.
    private const int ShareOfThread = 500;

    /// <inheritdoc/>
    public FamilyChains? Chains(IReadOnlyList<PendingObject> owned, CancellationToken cancellation)
    {
        if (Layout(owned) is not { } layout)
            return null;
        OwnedChains[] parts = SideBySide(layout, owned, cancellation) ?? [One(layout, owned, cancellation)];
        var chains = new List<OwnedChain>();
        foreach (OwnedChains part in parts)
            chains.AddRange(part.Found);
        var reader = new TaskletReader(context.Memory, layout);
        var list = new LiveList(context.Memory, reader, context.Problems);
        TaskletCollector last = parts[^1].Collector;
        foreach (ulong innermost in new Orphans(reader, IsKnown).Begin(list.Read()))
        {
            if (IsKnown(innermost) || cancellation.IsCancellationRequested)
                continue;
            (ulong outermost, bool isActive) = last.Take(innermost);
            if (outermost != 0)
                chains.Add(new(0, innermost, outermost, isActive ? OperationState.Abandoned : OperationState.Orphan));
        }
        return chains.Count > 0 || owned.Count > 0 || !list.IsWhole
            ? new FamilyChains(layout, Array.ConvertAll(parts, part => part.Collector.Finish()), chains, list.IsWhole)
            : null;

        bool IsKnown(ulong tasklet) => Array.Exists(parts, part => part.Collector.IsKnown(tasklet));
    }

    private OwnedChains One(TaskletLayout layout, IReadOnlyList<PendingObject> owned, CancellationToken cancellation)
    {
        OwnedChains all = Part(new TaskletReader(context.Memory, layout), context.Problems);
        all.Take(owned, 0, owned.Count, cancellation);
        return all;
    }

    // Null where it is not worth it, and where anything is unsound: one after the other then, so that the same heap gives the same answer.
    private OwnedChains[]? SideBySide(TaskletLayout layout, IReadOnlyList<PendingObject> owned, CancellationToken cancellation)
    {
        if (context.Memory.Image is null || owned.Count < 2 * ShareOfThread || Environment.ProcessorCount < 2)
            return null;
        OwnedChains[] parts = [Part(new TaskletReader(context.Memory, layout, isAlone: false), new()), Part(new TaskletReader(context.Memory, layout, isAlone: false), new())];
        int half = owned.Count / 2;
        var other = new Thread(() => parts[1].Take(owned, half, owned.Count, cancellation)) { IsBackground = true };
        other.Start();
        parts[0].Take(owned, 0, half, cancellation);
        other.Join();
        return parts[0].Collector.IsSoundBeside(parts[1].Collector) && parts[1].Collector.IsSoundBeside(null) ? parts : null;
    }

    private OwnedChains Part(TaskletReader reader, ProblemLog log)
        => new(reader, new TaskletCollector(reader, context.Sites, log), context.Owners);

    private TaskletLayout? Layout(IReadOnlyList<PendingObject> owned)
    {
        TaskletLayout? described = TaskletLayout.Of(context.Facts, out string? fault);
        if (fault is not null)
            context.Problems.Add(ProblemCodes.UnknownLayout, $"tasklets are not read: {fault}");
        return described is not null || fault is not null || owned.Count == 0 ? described : TaskletGuess.Of(context.Memory, context.Facts, owned);
    }
}
