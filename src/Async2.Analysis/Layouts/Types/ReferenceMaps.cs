using Async2.Analysis.Targets.Memory;

namespace Async2.Analysis.Layouts.Types;

/// <summary>The <see cref="ReferenceMap"/> of each method table, read once.</summary>
/// <param name="memory">Where method tables are.</param>
internal sealed class ReferenceMaps(TargetMemory memory)
{
    private readonly Dictionary<ulong, ReferenceMap> _known = [];

    /// <summary>Of a type without components; empty where the series are invalid, and for 0.</summary>
    public ReferenceMap Of(ulong methodTable)
    {
        if (methodTable == 0)
            return ReferenceMap.None;
        if (!_known.TryGetValue(methodTable, out ReferenceMap? map))
            _known[methodTable] = map = ReferenceMap.Of(memory, methodTable);
        return map;
    }
}
