using Async2.Analysis.Targets.Memory;
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

    /// <summary>The type of an object; null if it has none. What an array is of, ClrMD only finds out when it is asked about such an array, not about its method table.</summary>
    public static ClrType? OfObject(ClrRuntime runtime, TargetMemory memory, ulong item)
        => !MethodTables.TryRead(memory, item, out ulong methodTable) || Of(runtime, methodTable) is not { } type ? null
            : type is { IsArray: true, ComponentType: null } ? runtime.Heap.GetObjectType(item) ?? type : type;
}
