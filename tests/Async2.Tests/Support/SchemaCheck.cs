using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.RegularExpressions;

namespace Async2.Tests.Support;

/// <summary>
/// The part of JSON Schema that ours uses: type, enum, pattern, properties, required, items. Stricter in one thing: what the
/// schema does not name is an error, because our own output must not hold it.
/// </summary>
internal sealed class SchemaCheck(JsonNode schema)
{
    public IReadOnlyList<string> Errors(JsonNode? value)
    {
        var errors = new List<string>();
        Check(schema, value, "$", errors);
        return errors;
    }

    private void Check(JsonNode rule, JsonNode? value, string at, List<string> errors)
    {
        if (rule["$ref"]?.GetValue<string>() is string reference)
            rule = Resolve(reference);
        if (rule["type"]?.GetValue<string>() is string type && !IsOf(type, value))
        {
            errors.Add($"{at}: not {type}");
            return;
        }
        if (rule["enum"] is JsonArray values && !values.Any(allowed => JsonNode.DeepEquals(allowed, value)))
            errors.Add($"{at}: not one of {values.ToJsonString()}");
        if (rule["pattern"]?.GetValue<string>() is string pattern && !Regex.IsMatch(value!.GetValue<string>(), pattern))
            errors.Add($"{at}: does not match {pattern}");
        if (value is JsonObject record)
            CheckProperties(rule, record, at, errors);
        if (value is JsonArray list && rule["items"] is JsonNode items)
        {
            for (int i = 0; i < list.Count; i++)
                Check(items, list[i], $"{at}[{i}]", errors);
        }
    }

    private void CheckProperties(JsonNode rule, JsonObject record, string at, List<string> errors)
    {
        foreach (JsonNode? name in rule["required"] as JsonArray ?? [])
        {
            if (!record.ContainsKey(name!.GetValue<string>()))
                errors.Add($"{at}: {name} is missing");
        }
        foreach ((string name, JsonNode? value) in record)
        {
            if (rule["properties"]?[name] is JsonNode property)
                Check(property, value, $"{at}.{name}", errors);
            else
                errors.Add($"{at}.{name}: not in the schema");
        }
    }

    private JsonNode Resolve(string reference)
        => reference.Split('/').Skip(1).Aggregate(schema, (node, part) => node[part]!);

    private static bool IsOf(string type, JsonNode? value) => (type, value?.GetValueKind() ?? JsonValueKind.Null) switch
    {
        ("object", JsonValueKind.Object) or ("array", JsonValueKind.Array) or ("string", JsonValueKind.String) => true,
        ("number", JsonValueKind.Number) or ("boolean", JsonValueKind.True or JsonValueKind.False) => true,
        ("integer", JsonValueKind.Number) => value!.AsValue().TryGetValue(out long _),
        _ => false,
    };
}
