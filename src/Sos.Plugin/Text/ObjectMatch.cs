using Async2.Analysis.Awaiters;
using Async2.Analysis.Query;

namespace Async2.Sos.Text;

/// <summary>Whether an object has the type that a query requests. The name of each type is read once.</summary>
/// <param name="query">May contain a method table, a part of a type's name, or neither.</param>
/// <param name="types">Types of objects; null if unknown.</param>
public sealed class ObjectMatch(StackQuery query, ObjectTypes? types)
{
    private readonly Dictionary<ulong, bool> _known = [];

    /// <summary>The query contains a type.</summary>
    public bool Asks => query.MethodTable is not null || query.ObjectType is not null;

    /// <summary>Whether the object at an address, 0 for none, has the type. All conditions must match.</summary>
    public bool Matches(ulong address)
    {
        ulong table = address == 0 || types is null ? 0 : types.MethodTableOf(address);
        if (table == 0)
            return false;
        if (!_known.TryGetValue(table, out bool matches))
            _known[table] = matches = IsMeant(table);
        return matches;
    }

    private bool IsMeant(ulong table) => query.IsOfType(table, query.ObjectType is null ? null : types?.NameOf(table));
}
