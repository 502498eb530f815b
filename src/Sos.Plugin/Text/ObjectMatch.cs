using Async2.Analysis.Awaiters;
using Async2.Analysis.Query;

namespace Async2.Sos.Text;

/// <summary>Whether an object is of a type that a query asks for. Each type is asked for its name once.</summary>
/// <param name="query">May ask for a method table, a part of a type's name, or neither.</param>
/// <param name="types">Types of objects; null where nobody can tell.</param>
public sealed class ObjectMatch(StackQuery query, ObjectTypes? types)
{
    private readonly Dictionary<ulong, bool> _known = [];

    /// <summary>The query is about types.</summary>
    public bool Asks => query.MethodTable is not null || query.ObjectType is not null;

    /// <summary>Whether the object at an address, 0 for none, is of the type. Of several conditions each holds.</summary>
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
