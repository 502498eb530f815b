using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Targets.Memory;

namespace Async2.Analysis.Awaiters;

/// <summary>
/// Finds the custom awaiter that a chain waits for in .NET 11, or the source of a value task that optimised code of .NET 10 awaits itself: there is no object of the runtime
/// between them, but the awaiter, or an object that its struct refers to, keeps the action of the chain's task.
/// </summary>
internal sealed class CustomAwaiters(TargetMemory memory, AwaiterReader awaiters)
{
    // An awaiter is small; an object with many references is a local of the method.
    private const int FieldLimit = 32;

    private readonly ReferenceMaps _references = new(memory);

    /// <summary>Address of the awaiter; 0 if there is none.</summary>
    /// <param name="references">References of the innermost method's continuation.</param>
    /// <param name="task">Of the chain.</param>
    public ulong Find(ReadOnlySpan<ulong> references, ulong task)
    {
        foreach (ulong reference in references)
        {
            if (reference != 0 && reference != task && Keeps(reference, task))
                return reference;
        }
        return 0;
    }

    private bool Keeps(ulong address, ulong task)
    {
        if (!MethodTables.TryRead(memory, address, out ulong methodTable))
            return false;
        ReferenceMap map = _references.Of(methodTable);
        if (map.Offsets.Count > FieldLimit)
            return false;
        foreach (int offset in map.Offsets)
        {
            if (memory.TryReadPointer(address + (ulong)offset, out ulong held) && held != 0 && awaiters.IsActionOf(held, task))
                return true;
        }
        return false;
    }
}
