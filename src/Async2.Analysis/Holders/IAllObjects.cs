using Async2.Analysis.Targets;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Holders;

/// <summary>Lists objects of the heap, for searches that need all of some types.</summary>
internal interface IAllObjects
{
    /// <summary>Those of some types, in the order of the heap.</summary>
    /// <param name="isWanted">Asked once for each type, before its first object comes.</param>
    IEnumerable<(ulong Address, ClrType Type)> Of(Func<ClrType, bool> isWanted);
}

/// <summary>The same by the runtime's own list: of a heap that is damaged, or does not lie in this process.</summary>
internal sealed class RuntimeObjects(Target target) : IAllObjects
{
    /// <inheritdoc/>
    public IEnumerable<(ulong Address, ClrType Type)> Of(Func<ClrType, bool> isWanted)
    {
        var known = new Dictionary<ClrType, bool>();
        foreach (ClrObject item in target.Runtime.Heap.EnumerateObjects())
        {
            if (item.Type is not { } type)
                continue;
            if (!known.TryGetValue(type, out bool wanted))
                known[type] = wanted = isWanted(type);
            if (wanted)
                yield return (item.Address, type);
        }
    }
}
