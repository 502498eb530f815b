using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Layouts.Types;

/// <summary>Offsets of the named instance fields of a type, from the address of the object; found by name, never by version.</summary>
internal sealed class FieldOffsets
{
    private readonly Dictionary<string, int> _offsets;

    private FieldOffsets(Dictionary<string, int> offsets, int end)
    {
        _offsets = offsets;
        End = end;
    }

    /// <summary>End of the last named field, in bytes from the object's address.</summary>
    public int End { get; }

    /// <summary>Offset of a field that was asked for.</summary>
    public int this[string name] => _offsets[name];

    /// <summary>Null when a field is missing or lies where no field can be.</summary>
    public static FieldOffsets? Find(ClrType type, int pointerSize, params ReadOnlySpan<string> names)
    {
        var offsets = new Dictionary<string, int>(StringComparer.Ordinal);
        int end = pointerSize;
        foreach (string name in names)
        {
            ClrInstanceField? field = type.GetFieldByName(name);
            if (field is null || field.Offset < 0 || field.Offset > MaximumOffset)
                return null;
            // ClrMD counts from behind the method table pointer.
            int offset = field.Offset + pointerSize;
            offsets[name] = offset;
            end = Math.Max(end, offset + Math.Max(FieldSize.Of(field, pointerSize), 1));
        }
        return new FieldOffsets(offsets, end);
    }

    // FIELD_OFFSET_LAST_REAL_OFFSET of coreclr is far above; no runtime class that is read here comes near this.
    private const int MaximumOffset = 4096;
}
