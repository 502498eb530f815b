using System.Text.Json;

namespace Async2.Analysis.Layouts.Descriptions;

/// <summary>Contracts of a description: <c>"Async2Tasklets": 1</c>, or <c>"c1"</c> as newer runtimes write it.</summary>
internal static class ContractsPart
{
    public static void Read(JsonElement value, DescriptionParts parts)
    {
        foreach (JsonProperty contract in parts.Once(value, "contracts"))
        {
            if (!AsyncLayoutParts.IsContract(contract.Name))
                parts.Ignored.Add("contract " + contract.Name);
            else if (contract.Value.ValueKind is JsonValueKind.Number or JsonValueKind.String)
                parts.Contracts.Add(contract.Name, Version(contract.Name, contract.Value));
            else
                parts.Fault($"contract {contract.Name} is {DescriptionParts.Shown(contract.Value)}; a version is a number or a string");
        }
    }

    private static string Version(string contract, JsonElement value)
    {
        string text = value.ValueKind == JsonValueKind.String ? value.GetString()! : value.GetRawText();
        // Of the runtime's own the two ways of counting do not agree: c1 came after 2.
        return contract != AsyncLayoutParts.DebugInfo && text is ['c', >= '0' and <= '9', ..] ? text[1..] : text;
    }
}
