using System.Text.Json.Serialization;

namespace Async2.Dump.Processes;

/// <summary>Generated serializers of <c>async2.ps/1</c>.</summary>
[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    WriteIndented = true)]
[JsonSerializable(typeof(ProcessDocument))]
[JsonSerializable(typeof(ProcessRow))]
internal sealed partial class ProcessJson : JsonSerializerContext;

/// <summary>The same in one line.</summary>
[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(ProcessRow))]
internal sealed partial class ProcessLineJson : JsonSerializerContext;
