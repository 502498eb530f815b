using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Nodes;
using Async2.Analysis.Targets;
using Async2.Analysis.Waits.Reading;

namespace Async2.Analysis.Waits.Libraries;

/// <summary>
/// Bodies of Parallel.ForEachAsync: each runs in a worker whose state machine refers to the shared state, and the caller awaits
/// the promise in the shared state. No task links the two.
/// </summary>
internal static class ForEachBodies
{
    private const string Parallel = "System.Threading.Tasks.Parallel+";

    /// <summary>The index with those promises as combinators, and who works for each.</summary>
    public static HeapIndex Join(Target target, HeapIndex index)
    {
        var library = new LibraryObjects(target, new WaitResources(index.Resources), ForEachWaits.Objects);
        if (!ForEachWaits.Objects.SelectMany(library.Of).Any())
            return index;
        var fields = new ObjectFields(target);
        var states = new Dictionary<ulong, int?>();
        var bodies = new List<LoopBody>();
        foreach (ref readonly NodeRow row in index.Nodes)
        {
            if (row.Kind != NodeKind.Machine)
                continue;
            if (!states.TryGetValue(row.MethodTable, out int? state))
                states[row.MethodTable] = state = StateIn(target, row.Address);
            if (state is { } offset && new HeapObject(target.Memory, row.Address).At(offset) is { Address: not 0 } shared
                && library.KindOf(shared) is not null && fields.Follow(shared, "_task") is { Address: not 0 } task)
                bodies.Add(new(row.Address, task.Address, fields.Follow(shared, "LoopBody").Address));
        }
        return index.WithBodies(bodies, task => new HeapObject(target.Memory, task) is var item && fields.OffsetOf(item, "m_continuationObject") is { } at ? item.Reference(at) : 0);
    }

    // The lambda's only parameter.
    private static int? StateIn(Target target, ulong box)
        => MethodTables.TryRead(target.Memory, box, out ulong methodTable) && TypeLookup.Of(target.Runtime, methodTable) is { Name: { } name } type
            && name.Contains(Parallel, StringComparison.Ordinal)
            ? FieldPath.Find(type, target.Memory.PointerSize, "StateMachine", "o")
            : null;
}
