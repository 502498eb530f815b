using System.Text.Json;

namespace Async2.Analysis.Layouts.Descriptions;

/// <summary>What was read of a description so far, and what was wrong with it.</summary>
internal sealed class DescriptionParts(List<string> faults)
{
    // A description that is nothing but faults is not listed to its end.
    private const int FaultLimit = 100;

    public Dictionary<string, TypeDescription> Types { get; } = new(StringComparer.Ordinal);

    public Dictionary<string, GlobalDescription> Globals { get; } = new(StringComparer.Ordinal);

    public Dictionary<string, string> Contracts { get; } = new(StringComparer.Ordinal);

    public HashSet<string> Absent { get; } = new(StringComparer.Ordinal);

    public List<string> Ignored { get; } = [];

    public string? Baseline { get; set; }

    public LayoutTarget? Target { get; set; }

    public void Fault(string sentence)
    {
        if (faults.Count < FaultLimit)
            faults.Add(sentence);
    }

    /// <summary>The properties of an object; those that are there again are a fault, because readers of JSON do not agree which one counts.</summary>
    /// <param name="value">The object; anything else is a fault.</param>
    /// <param name="name">What to call it: <c>types</c>; empty for the whole.</param>
    public IEnumerable<JsonProperty> Once(JsonElement value, string name)
    {
        if (value.ValueKind != JsonValueKind.Object)
        {
            Fault($"{name} is {Shown(value)}, and has to be an object");
            yield break;
        }
        var seen = new HashSet<string>(StringComparer.Ordinal);
        foreach (JsonProperty property in value.EnumerateObject())
        {
            if (seen.Add(property.Name))
                yield return property;
            else
                Fault($"{(name.Length == 0 ? "" : name + ".")}{property.Name} is there twice");
        }
    }

    /// <summary>A text; null and a fault for anything else.</summary>
    public string? Text(JsonProperty property)
    {
        if (property.Value.ValueKind == JsonValueKind.String)
            return property.Value.GetString();
        Fault($"{property.Name} is {Shown(property.Value)}, and has to be a string");
        return null;
    }

    /// <summary>A value as it stands there, cut where it is long.</summary>
    public static string Shown(JsonElement value)
    {
        const int most = 40;
        string text = value.GetRawText().ReplaceLineEndings(" ");
        return text.Length <= most ? text : text[..most] + "...";
    }
}
