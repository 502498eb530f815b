using System.Text.Json.Serialization;

namespace Async2.Dump.Layouts;

/// <summary>One fact: <c>field</c>, <c>Tasklet.RestoreIP</c>, <c>32 pointer</c>, and its source.</summary>
internal sealed record FactRecord(string Kind, string Name, string Value, string Source);

/// <summary>A source that could not be used.</summary>
internal sealed record FaultRecord(string Code, string Text);

/// <summary>The answer of <c>layout show --format json</c>.</summary>
internal sealed record LayoutDocument(string Schema, IEnumerable<FactRecord> Facts, IEnumerable<FaultRecord> Problems)
{
    public const string SchemaId = "async2.layout/1";
}

/// <summary>Its serializer.</summary>
[JsonSourceGenerationOptions(GenerationMode = JsonSourceGenerationMode.Metadata, PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, WriteIndented = true)]
[JsonSerializable(typeof(LayoutDocument))]
internal sealed partial class LayoutJson : JsonSerializerContext;
