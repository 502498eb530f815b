using Async2.Analysis.Layouts.Descriptions;

namespace Async2.Analysis.Layouts.Checks;

/// <summary>Bytes of fields of 64-bit targets, by the type that a description gives them.</summary>
internal static class FieldWidths
{
    /// <summary>Null for types that are not known.</summary>
    public static int? Of(string? type) => type switch
    {
        "pointer" or "nuint" or "nint" or "uint64" or "int64" => 8,
        "uint32" or "int32" => 4,
        "uint16" or "int16" => 2,
        "uint8" or "int8" or "bool" => 1,
        _ => null,
    };

    /// <summary>Where a field ends; behind its first byte where nobody knows its type.</summary>
    public static int End(FieldFact field) => field.Offset + (Of(field.FieldType) ?? OfRead(field.Type, field.Field) ?? 1);

    /// <summary>How many bytes of a field are read, whatever a description says: what the built-in layouts say. Null for a field that none has.</summary>
    public static int? OfRead(string type, string field)
    {
        foreach (string name in Baselines.Names)
        {
            if (Baselines.Find(name)!.Types.GetValueOrDefault(type)?.Fields.GetValueOrDefault(field) is { } known)
                return Of(known.Type);
        }
        return null;
    }
}
