using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Layouts.Types;

/// <summary>The layout of each method table of a family, asked once; null for a type of another family.</summary>
/// <param name="runtime">Knows the types.</param>
/// <param name="find">Finds a layout by the fields of a type, with the target's pointer size.</param>
internal sealed class LayoutCache<TLayout>(ClrRuntime runtime, Func<ClrType, int, TLayout?> find)
    where TLayout : class
{
    private readonly Dictionary<ulong, TLayout?> _known = [];

    public TLayout? Of(HeapObject item)
    {
        ulong methodTable = item.MethodTable();
        if (!_known.TryGetValue(methodTable, out TLayout? layout))
        {
            ClrType? type = TypeLookup.OfObject(runtime, item.Memory, item.Address);
            _known[methodTable] = layout = type is null ? null : find(type, runtime.DataTarget.DataReader.PointerSize);
        }
        return layout;
    }
}
