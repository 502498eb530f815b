using System.ComponentModel;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.Json.Schema;
using System.Text.Json.Serialization.Metadata;
using Async2.Analysis.Query;
using Async2.Analysis.Rendering;
using Async2.Analysis.Rendering.Json;
using Async2.Tests.Support;
using Async2.Tests.Support.Drawing;

namespace Async2.Tests.Rendering;

/// <summary>The published schema is made from the wire types, and real output obeys it.</summary>
public sealed class SchemaTests
{
    private static readonly string DiffSchemaPath = Repository.PathOf("docs", "async2.diff.schema.json");

    private static readonly string SchemaPath = Repository.PathOf("docs", "async2.stacks.schema.json");

    [Fact]
    public void The_schema_file_is_fresh() => Approved.CheckGenerated(SchemaPath, Generate(typeof(StacksDocument), StacksDocument.SchemaId));

    [Fact]
    public void The_schema_file_of_comparisons_is_fresh() => Approved.CheckGenerated(DiffSchemaPath, Generate(typeof(DiffDocument), DiffDocument.SchemaId));

    [Fact]
    public void The_schema_file_of_growth_is_fresh() => Approved.CheckGenerated(Repository.PathOf("docs", "async2.growth.schema.json"), Generate(typeof(GrowthDocument), GrowthDocument.SchemaId));

    [Fact]
    public void Real_output_validates()
    {
        var schema = new SchemaCheck(JsonNode.Parse(File.ReadAllText(SchemaPath))!);
        foreach (SnapshotDrawing drawing in new[] { Drawings.Shop(), Drawings.Recursion(3), JamDrawing.Jam().Of(500, 9, "--method Pay"), new SnapshotDrawing().Incomplete() })
            Assert.Empty(schema.Errors(JsonNode.Parse(Rendered.Json(drawing.Snapshot(), new RenderOptions { GroupBy = StackGrouping.Method }))));
    }

    [Theory]
    [InlineData("\"kind\": \"dump\"", "\"kind\": \"Dump\"", "$.target.kind: not one of")]
    [InlineData("\"line\": 17,", "\"line\": \"17\",", "$.stacks[0].frames[0].line: not integer")]
    [InlineData("\"id\": \"s1\",", "", "$.stacks[0]: id is missing")]
    [InlineData("\"id\": \"s1\",", "\"id\": \"s1\", \"extra\": 1,", "$.stacks[0].extra: not in the schema")]
    [InlineData("\"families\": [", "\"families\": [ 7,", "$.target.families[0]: not string")]
    public void The_check_finds_what_does_not_fit(string good, string bad, string expected)
    {
        var schema = new SchemaCheck(JsonNode.Parse(File.ReadAllText(SchemaPath))!);
        string json = Rendered.Json(Drawings.Shop().Snapshot());
        Assert.Contains(good, json);
        int at = json.IndexOf(good, StringComparison.Ordinal);
        JsonNode? broken = JsonNode.Parse(json[..at] + bad + json[(at + good.Length)..]);
        Assert.Contains(schema.Errors(broken), error => error.StartsWith(expected, StringComparison.Ordinal));
    }

    private static string Generate(Type document, string title)
    {
        var options = new JsonSchemaExporterOptions { TreatNullObliviousAsNonNullable = true, TransformSchemaNode = Describe };
        // What .NET 8's generator made for the library does not say enough about the types for a schema.
        var asGenerated = new JsonSerializerOptions(WireJson.Default.Options) { TypeInfoResolver = new DefaultJsonTypeInfoResolver() };
        var schema = (JsonObject)asGenerated.GetJsonSchemaAsNode(document, options);
        schema.Insert(0, "$schema", "https://json-schema.org/draft/2020-12/schema");
        schema.Insert(1, "title", title);
        var format = new JsonSerializerOptions { WriteIndented = true, Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping, NewLine = "\n" };
        return schema.ToJsonString(format) + "\n";
    }

    // Absent = unknown, so a value that is there is never null: the exporter would allow it for every nullable property.
    private static JsonNode Describe(JsonSchemaExporterContext context, JsonNode node)
    {
        if (node is not JsonObject schema)
            return node;
        if (schema["type"] is JsonArray types && types.Select(type => type!.GetValue<string>()).Where(type => type != "null").ToArray() is [string only])
            schema["type"] = only;
        if (schema["enum"] is JsonArray values && !schema.ContainsKey("type") && values.All(value => value?.GetValueKind() == JsonValueKind.String))
            schema.Insert(0, "type", "string");
        if (context.PropertyInfo?.AttributeProvider?.GetCustomAttributes(typeof(DescriptionAttribute), false) is [DescriptionAttribute text])
            schema.Insert(0, "description", text.Description);
        if (context.PropertyInfo is { Name: "address" or "task" })
            schema["pattern"] = "^0x[0-9a-f]+$";
        return schema;
    }
}
