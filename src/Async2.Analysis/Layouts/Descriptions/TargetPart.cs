using System.Text.Json;

namespace Async2.Analysis.Layouts.Descriptions;

/// <summary>What a file says that it is for: <c>"target": { "arch": "x64", "os": "linux", "module": "coreclr", "buildId": "8b..." }</c>.</summary>
internal static class TargetPart
{
    // A file may contain this in place of an absent value.
    private const string Any = "any";

    public static LayoutTarget Read(JsonElement value, DescriptionParts parts)
    {
        var known = new Dictionary<string, string?>(StringComparer.Ordinal);
        foreach (JsonProperty part in parts.Once(value, "target"))
        {
            if (part.Name is "arch" or "os" or "module" or "buildId" && parts.Text(part) is { } text && text != Any)
                known[part.Name] = text;
        }
        string? id = known.GetValueOrDefault("buildId");
        if (id is not null && (id.Length == 0 || id.Length % 2 != 0 || !id.All(char.IsAsciiHexDigit)))
            parts.Fault($"target.buildId is \"{id}\", which is not a hexadecimal number of whole bytes");
        if (id is not null && !known.ContainsKey("module"))
            parts.Fault("target.buildId needs a module: add target.module");
        return new(known.GetValueOrDefault("arch"), known.GetValueOrDefault("os"), known.GetValueOrDefault("module"), id?.ToLowerInvariant());
    }
}
