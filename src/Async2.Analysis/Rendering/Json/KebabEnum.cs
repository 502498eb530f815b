using System.Text.Json;
using System.Text.Json.Serialization;

namespace Async2.Analysis.Rendering.Json;

/// <summary>Writes enum members as the contract spells them: <c>state-machine</c>.</summary>
internal sealed class KebabEnum<TEnum>() : JsonStringEnumConverter<TEnum>(JsonNamingPolicy.KebabCaseLower, allowIntegerValues: false)
    where TEnum : struct, Enum;
