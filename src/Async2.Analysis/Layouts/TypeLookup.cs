using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Layouts;

/// <summary>Types by method table, for addresses that may not be those of objects.</summary>
internal static class TypeLookup
{
    /// <summary>
    /// Null when there is no such type. Method tables never lie in the GC heap; the DAC of 10.0.12 crashes its reader when it is
    /// given the address of an object for one.
    /// </summary>
    public static ClrType? Of(ClrRuntime runtime, ulong methodTable)
        => methodTable != 0 && methodTable % 8 == 0 && runtime.Heap.GetSegmentByAddress(methodTable) is null
            ? runtime.GetTypeByMethodTable(methodTable)
            : null;
}
