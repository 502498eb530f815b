using System.Text.Json;

namespace Async2.Analysis.Layouts.Descriptions;

/// <summary>Types of a description: <c>"Tasklet": { "!": 64, "RestoreIP": [32, "pointer"], "StackData": 24, "PrevInStack": null }</c>.</summary>
internal static class TypesPart
{
    private const string SizeKey = "!";

    public static void Read(JsonElement value, DescriptionParts parts)
    {
        foreach (JsonProperty type in parts.Once(value, "types"))
        {
            if (!AsyncLayoutParts.IsType(type.Name))
                parts.Ignored.Add("type " + type.Name);
            else
                ReadType(type, parts);
        }
    }

    private static void ReadType(JsonProperty type, DescriptionParts parts)
    {
        var fields = new Dictionary<string, FieldDescription>(StringComparer.Ordinal);
        int? size = null;
        foreach (JsonProperty field in parts.Once(type.Value, type.Name))
        {
            string name = $"{type.Name}.{field.Name}";
            if (field.Name == SizeKey)
                size = Number(field.Value, name, "a size", 1, LayoutLimits.TypeBytes, parts);
            else if (field.Value.ValueKind == JsonValueKind.Null)
                parts.Absent.Add(name);
            else if (Field(field.Value, name, parts) is { } read)
                fields.Add(field.Name, read);
        }
        parts.Types.Add(type.Name, new TypeDescription { Size = size, Fields = fields });
    }

    private static FieldDescription? Field(JsonElement value, string name, DescriptionParts parts)
    {
        if (value.ValueKind == JsonValueKind.Array)
        {
            if (value.GetArrayLength() == 2 && value[1].ValueKind == JsonValueKind.String)
                return Number(value[0], name, "an offset", 0, LayoutLimits.TypeBytes - 1, parts) is { } typed ? new(typed, value[1].GetString()) : null;
            parts.Fault($"{name} is {DescriptionParts.Shown(value)}; a field is an offset, [offset, \"type\"], or null where there is none");
            return null;
        }
        return Number(value, name, "an offset", 0, LayoutLimits.TypeBytes - 1, parts) is { } offset ? new(offset, null) : null;
    }

    private static int? Number(JsonElement value, string name, string what, int least, int most, DescriptionParts parts)
    {
        if (JsonNumber.Read(value) is { } number && number >= least && number <= most)
            return (int)number;
        parts.Fault(FormattableString.Invariant($"{name} is {DescriptionParts.Shown(value)}; {what} is a number from {least} to {most:N0}"));
        return null;
    }
}
