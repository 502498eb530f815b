using System.Runtime.CompilerServices;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Layouts.Types;

/// <summary>
/// Whether the DAC may be asked what a method table is. It checks one by its class's way back
/// (<c>MethodTable::ValidateWithPossibleAV</c>), and where that is null - in anything that only
/// looks like a method table, as a search through the loader's heaps meets - it reads address 0 of its own process, which ends it (seen
/// with the DAC of 9.0.20).
/// Offsets are of 64-bit coreclr 8 to 10 (src/coreclr/vm/methodtable.h, class.h).
/// </summary>
internal static class LoadedClass
{
    // MethodTable::m_pEEClass or m_pCanonMT: the class, or with the lowest bit set the method table that all share that have it.
    private const int ClassOrCanonical = 0x28;
    private const ulong CanonicalBit = 1;

    // EEClass::m_pMethodTable.
    private const int BackReference = 0x10;

    private static readonly ConditionalWeakTable<ClrRuntime, StrongBox<bool>> Applies = [];

    /// <summary>False for what would end the reader. Runtimes with another layout are not judged.</summary>
    public static bool IsSafeToAsk(ClrRuntime runtime, ulong methodTable)
        => IsSelfConsistent(runtime.DataTarget.DataReader, methodTable) || !Applies.GetValue(runtime, FitsKnownTypes).Value;

    /// <summary>False if the class of a method table is readable and leads to none.</summary>
    /// <param name="memory">The target's.</param>
    /// <param name="methodTable">Anything that is taken for one.</param>
    public static bool IsSelfConsistent(IMemoryReader memory, ulong methodTable)
    {
        if (memory.PointerSize != sizeof(ulong) || !memory.ReadPointer(methodTable + ClassOrCanonical, out ulong owner))
            return true;
        if ((owner & CanonicalBit) != 0 && !memory.ReadPointer((owner & ~CanonicalBit) + ClassOrCanonical, out owner))
            return true;
        return owner == 0 || !memory.ReadPointer(owner + BackReference, out ulong back) || back != 0;
    }

    private static StrongBox<bool> FitsKnownTypes(ClrRuntime runtime)
    {
        IMemoryReader memory = runtime.DataTarget.DataReader;
        return new(IsSelfConsistent(memory, runtime.Heap.ObjectType.MethodTable) && IsSelfConsistent(memory, runtime.Heap.StringType.MethodTable));
    }
}
