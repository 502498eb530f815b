using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Targets;

namespace Async2.Analysis.Waits.Reading;

/// <summary>
/// Fields of objects by name, looked up once for each type: for long paths through objects of libraries, which differ
/// between versions. A missing field is null, or an object at address 0.
/// </summary>
internal sealed class ObjectFields(Target target)
{
    // A file name of SQL, or a long query, is cut off here.
    private const int TextLimit = 4096;

    private readonly Dictionary<(ulong MethodTable, string Field), int?> _offsets = [];

    /// <summary>Name of the field behind an automatic property.</summary>
    public static string Behind(string property) => $"<{property}>k__BackingField";

    /// <summary>The object at the end of a way through fields; a field of a struct is named <c>struct/field</c>.</summary>
    public HeapObject Follow(HeapObject item, params ReadOnlySpan<string> fields)
    {
        foreach (string field in fields)
            item = OffsetOf(item, field) is { } offset ? item.At(offset) : item with { Address = 0 };
        return item;
    }

    public int? Int32(HeapObject item, string field) => OffsetOf(item, field) is { } offset ? item.Int32(offset) : null;

    /// <summary>Null if there is no such field, or it cannot be read.</summary>
    public byte? Byte(HeapObject item, string field) => OffsetOf(item, field) is { } offset ? item.Byte(offset) : null;

    /// <inheritdoc cref="Byte"/>
    public long? Int64(HeapObject item, string field) => OffsetOf(item, field) is { } offset ? item.Int64(offset) : null;

    /// <summary>A string; null for none.</summary>
    public string? Text(HeapObject item, string field)
        => Follow(item, field) is { Address: not 0 } text ? StringLayout.Read(target.Memory, text.Address, TextLimit) : null;

    /// <summary>C# name of the object's type without namespaces; null if it is unknown.</summary>
    public string? TypeOf(HeapObject item)
        => item.Address != 0 && TypeLookup.Of(target.Runtime, item.MethodTable()) is { } type ? WaitNames.OfType(type) : null;

    /// <summary>Full name of the object's type; null if it is unknown.</summary>
    public string? TypeNameOf(HeapObject item) => item.Address != 0 ? TypeLookup.Of(target.Runtime, item.MethodTable())?.Name : null;

    /// <summary>The task has completed; false if that is unknown.</summary>
    public bool IsCompleted(HeapObject task) => Int32(task, "m_stateFlags") is { } flags && TaskLayout.IsCompleted((uint)flags);

    /// <summary>Offset of a field; null if the type has none like that.</summary>
    public int? OffsetOf(HeapObject item, string field)
    {
        if (item.Address == 0)
            return null;
        ulong methodTable = item.MethodTable();
        if (!_offsets.TryGetValue((methodTable, field), out int? offset))
            _offsets[(methodTable, field)] = offset = TypeLookup.Of(target.Runtime, methodTable) is { } type
                ? FieldPath.Find(type, target.Memory.PointerSize, field.Split('/'))
                : null;
        return offset;
    }
}
