using System.Globalization;
using System.Text.Json;

namespace Async2.Analysis.Layouts.Descriptions;

/// <summary>Numbers of descriptions: JSON's own, and texts, which keep the bits that JSON readers lose: <c>"0x20"</c>, <c>"-1"</c>.</summary>
internal static class JsonNumber
{
    /// <summary>Null for what is not a whole number of 64 bits.</summary>
    public static long? Read(JsonElement value) => value.ValueKind switch
    {
        JsonValueKind.Number when value.TryGetInt64(out long number) => number,
        JsonValueKind.Number when value.TryGetUInt64(out ulong number) => unchecked((long)number),
        JsonValueKind.String => Read(value.GetString()!),
        _ => null,
    };

    private static long? Read(string text)
    {
        if (text.StartsWith("0x", StringComparison.OrdinalIgnoreCase))
        {
            return ulong.TryParse(text.AsSpan(2), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out ulong bits)
                ? unchecked((long)bits)
                : null;
        }
        return long.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out long number) ? number : null;
    }
}
