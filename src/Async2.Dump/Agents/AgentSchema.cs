using System.Text.Json.Nodes;

namespace Async2.Dump.Agents;

/// <summary>Shapes of arguments and answers, in JSON Schema.</summary>
internal static class AgentSchema
{
    /// <summary>A record; fields whose name ends in <c>!</c> are required.</summary>
    public static JsonObject Record(params (string Name, JsonObject Type)[] fields)
    {
        var properties = new JsonObject();
        var required = new JsonArray();
        foreach ((string name, JsonObject type) in fields)
        {
            string plain = name.TrimEnd('!');
            properties[plain] = type.DeepClone();
            if (plain != name)
                required.Add((JsonNode)plain);
        }
        var schema = new JsonObject { ["type"] = "object", ["properties"] = properties };
        if (required.Count > 0)
            schema["required"] = required;
        return schema;
    }

    public static JsonObject Text(string? about = null) => Of("string", about);

    public static JsonObject Number(string? about = null) => Of("integer", about);

    public static JsonObject Flag(string? about = null) => Of("boolean", about);

    public static JsonObject List(JsonObject of, string? about = null)
    {
        JsonObject list = Of("array", about);
        list["items"] = of.DeepClone();
        return list;
    }

    /// <summary>A text for each name.</summary>
    public static JsonObject Map(string? about = null)
    {
        JsonObject map = Of("object", about);
        map["additionalProperties"] = Text();
        return map;
    }

    /// <summary>Without descriptions: what an agent gets with each list of tools costs tokens, and the names of an answer's fields speak for themselves.</summary>
    public static JsonObject Plain(JsonObject schema)
    {
        var plain = (JsonObject)schema.DeepClone();
        Strip(plain);
        return plain;
    }

    // A field may be called so, too.
    private static void Strip(JsonNode node)
    {
        if (node is not JsonObject type)
            return;
        type.Remove("description");
        foreach ((_, JsonNode? field) in type["properties"] as JsonObject ?? [])
            Strip(field!);
        if (type["items"] is { } items)
            Strip(items);
    }

    private static JsonObject Of(string type, string? about)
    {
        var schema = new JsonObject { ["type"] = type };
        if (about is not null)
            schema["description"] = about;
        return schema;
    }
}
