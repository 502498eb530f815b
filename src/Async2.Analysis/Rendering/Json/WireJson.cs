using System.Text.Json.Serialization;

namespace Async2.Analysis.Rendering.Json;

/// <summary>
/// Generated serializers of the JSON types. Metadata mode, not the fast path: only it flushes to a stream
/// in between, so that a million frames need a buffer and not a string.
/// </summary>
[JsonSourceGenerationOptions(
    GenerationMode = JsonSourceGenerationMode.Metadata,
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    WriteIndented = true)]
[JsonSerializable(typeof(StacksDocument))]
[JsonSerializable(typeof(DiffDocument))]
[JsonSerializable(typeof(GrowthDocument))]
internal sealed partial class WireJson : JsonSerializerContext;
