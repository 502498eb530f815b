using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Layouts.Types;

/// <summary>Where a field is that lies inside structs of an object: <c>_mrvtsc</c>, then <c>_completed</c>.</summary>
internal static class FieldPath
{
    // FIELD_OFFSET_LAST_REAL_OFFSET of coreclr is far above; state machines may be big.
    private const int MaximumOffset = 1 << 20;

    /// <summary>Offset from the object's address; null when a field is missing, lies where no field can be, or in a struct that <see cref="IsOpen"/>.</summary>
    public static int? Find(ClrType type, int pointerSize, params ReadOnlySpan<string> path)
    {
        // ClrMD counts from behind the method table pointer, and in a struct from its beginning.
        int offset = pointerSize;
        ClrType? holder = type;
        for (int i = 0; i < path.Length; i++)
        {
            ClrInstanceField? field = holder?.GetFieldByName(path[i]);
            if (field is null || field.Offset is < 0 or > MaximumOffset)
                return null;
            offset += field.Offset;
            // Of a type that the runtime has not noted, ClrMD looks for the name in all modules.
            if (i < path.Length - 1)
                holder = IsOpen(field.Type) ? null : field.Type;
        }
        return offset;
    }

    /// <summary>
    /// The generic type itself, without type arguments: all that is known of a struct in a class whose code is shared by reference types (<c>List`1+Enumerator</c>). The runtime has not laid it
    /// out, and what stands where its fields' offsets would be is not one.
    /// </summary>
    public static bool IsOpen(ClrType? type) => type?.Name is { } name && name.Contains('`') && !name.Contains('<');

    /// <summary>Type of the struct that is a field of an object.</summary>
    public static ClrType? StructOf(ClrType type, string name)
        => type.GetFieldByName(name) is { IsValueType: true, Type: { } found } ? found : null;
}
