using Async2.Analysis.Code;
using Async2.Analysis.Layouts;
using Async2.Analysis.Targets;

namespace Async2.Analysis.Nodes;

/// <summary>
/// Finds what a chain waits for among the references saved in its innermost continuation. A task that names the chain as its
/// waiter is proof; without one, the runtime's own leaf frames hold nothing but what they await.
/// </summary>
internal sealed class AwaitedObjectReader(Target target, TaskLayout layout, AwaiterReader awaiters, LoadedModules modules)
{
    private const int ReferenceLimit = 4096;

    private readonly AwaitedTypes _types = new(target.Runtime, new InterfaceNames(modules).Of);

    /// <param name="gcData">The continuation's references.</param>
    /// <param name="task">The ThunkTask of the chain.</param>
    /// <param name="isLeafOfRuntime">The continuation is one of the runtime's own, not a user's method with locals.</param>
    public AwaitedObject? Find(ulong gcData, ulong task, bool isLeafOfRuntime)
    {
        AwaitedObject? guess = null;
        foreach (ulong reference in ArrayLayout.ReadReferences(target.Memory, gcData, ReferenceLimit))
        {
            if (reference == 0 || reference == task || !MethodTables.TryRead(target.Memory, reference, out ulong methodTable))
                continue;
            AwaitedShape shape = _types.Of(methodTable);
            if (shape == AwaitedShape.Task && ReadTask(reference, methodTable, task) is { } awaited)
            {
                if (awaited.PointsBack)
                    return awaited;
                guess ??= awaited;
            }
            else if (shape == AwaitedShape.ValueTaskSource)
            {
                guess ??= new(reference, TypeName(methodTable), IsCompleted: false, PointsBack: false);
            }
        }
        return isLeafOfRuntime ? guess : null;
    }

    private AwaitedObject? ReadTask(ulong reference, ulong methodTable, ulong task)
    {
        TargetMemory memory = target.Memory;
        if (!memory.TryReadUInt32(reference + (ulong)layout.StateFlags, out uint state)
            || !memory.TryReadPointer(reference + (ulong)layout.ContinuationObject, out ulong continuation))
            return null;
        return new(reference, TypeName(methodTable), TaskLayout.IsCompleted(state), awaiters.Contains(continuation, task));
    }

    private string? TypeName(ulong methodTable) => target.Runtime.GetTypeByMethodTable(methodTable)?.Name;
}
