using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Metadata.Names;
using Async2.Analysis.Targets;

namespace Async2.Analysis.Awaiters;

/// <summary>Types of objects by address, as debuggers show and query them.</summary>
public sealed class ObjectTypes
{
    private readonly Target _target;
    private readonly Dictionary<ulong, string?> _names = [];
    private readonly Dictionary<ulong, string?> _shown = [];

    /// <param name="target">Has the objects; stays open as long as this is used.</param>
    public ObjectTypes(Target target) => _target = target;

    /// <summary>Method table of an object; 0 if it cannot be read.</summary>
    public ulong MethodTableOf(ulong address) => MethodTables.TryRead(_target.Memory, address, out ulong methodTable) ? methodTable : 0;

    /// <summary>The runtime's name of a type, <c>System.Threading.Tasks.Task+DelayPromise</c>; null if there is none.</summary>
    public string? NameOf(ulong methodTable)
    {
        if (!_names.TryGetValue(methodTable, out string? name))
            _names[methodTable] = name = TypeLookup.Of(_target.Runtime, methodTable)?.Name;
        return name;
    }

    /// <summary>Its name in C# form, <c>System.Threading.Tasks.Task.DelayPromise</c>.</summary>
    public string? CSharpNameOf(ulong methodTable)
    {
        if (!_shown.TryGetValue(methodTable, out string? name))
            _shown[methodTable] = name = NameOf(methodTable) is { } known ? TypeName.FromRuntimeName(known) : null;
        return name;
    }
}
