using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Layouts.Types;

/// <summary>Types by method table, for addresses that may not be those of objects.</summary>
internal static class TypeLookup
{
    /// <summary>
    /// Null if there is no such type. Method tables never lie in the GC heap, and what does not look like one would end the DAC's
    /// reader (<see cref="LoadedClass"/>).
    /// </summary>
    public static ClrType? Of(ClrRuntime runtime, ulong methodTable)
        => methodTable != 0 && methodTable % 8 == 0 && runtime.Heap.GetSegmentByAddress(methodTable) is null
            && LoadedClass.IsSafeToAsk(runtime, methodTable)
            ? runtime.GetTypeByMethodTable(methodTable)
            : null;
}
