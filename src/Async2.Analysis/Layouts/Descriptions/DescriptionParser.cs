using System.Text.Json;
using Async2.Analysis.Model;

namespace Async2.Analysis.Layouts.Descriptions;

/// <summary>
/// Reads a description in the compact form of the runtime's data-contract descriptors (dotnet/runtime,
/// docs/design/datacontracts/data_descriptor.md), and what files may say in addition. What concerns no async code is not looked at.
/// </summary>
internal static class DescriptionParser
{
    private static readonly JsonDocumentOptions Options = new() { CommentHandling = JsonCommentHandling.Skip, AllowTrailingCommas = true };

    /// <param name="json">UTF-8.</param>
    /// <param name="source">Where it came from; names it in errors.</param>
    /// <param name="pointers">The contract's pointer_data; null for a file, which has none.</param>
    /// <exception cref="LayoutException">It cannot be used; all faults that could be found are named.</exception>
    public static LayoutDescription Parse(ReadOnlyMemory<byte> json, LayoutSource source, IReadOnlyList<ulong>? pointers = null)
    {
        if (json.Length > LayoutLimits.JsonBytes)
            throw Refused(source, [TooLong(source, json.Length)]);
        if (json.Span.StartsWith("\uFEFF"u8))
            json = json[3..];
        if (JsonForm.FaultOf(json.Span) is { } fault)
            throw Refused(source, [fault]);
        using JsonDocument document = JsonDocument.Parse(json, Options);
        var faults = new List<string>();
        LayoutDescription description = Read(document.RootElement, source, pointers, faults);
        return faults.Count == 0 ? description : throw Refused(source, faults);
    }

    /// <summary>The error for a description with faults.</summary>
    public static LayoutException Refused(LayoutSource source, IEnumerable<string> faults)
        => new("layout " + source.Name, [.. faults], $"correct it and {HostCommands.Current.VerifyLayout}, which names every fault; the grammar is in docs/layouts.md");

    /// <summary>The fault of more bytes than are read.</summary>
    public static string TooLong(LayoutSource source, long bytes) => FormattableString.Invariant(
        $"{(source.Kind == LayoutSourceKind.File ? "the file is" : "it is")} {bytes:N0} bytes; a layout has at most {LayoutLimits.JsonBytes / 1024 / 1024} MiB");

    private static LayoutDescription Read(JsonElement root, LayoutSource source, IReadOnlyList<ulong>? pointers, List<string> faults)
    {
        var parts = new DescriptionParts(faults);
        if (root.ValueKind != JsonValueKind.Object)
            faults.Add("it is not a JSON object");
        else
            ReadParts(root, pointers, parts);
        return new LayoutDescription
        {
            Source = source,
            Types = parts.Types,
            Globals = parts.Globals,
            Contracts = parts.Contracts,
            Absent = parts.Absent,
            Ignored = parts.Ignored,
            Baseline = parts.Baseline,
            Target = parts.Target,
        };
    }

    private static void ReadParts(JsonElement root, IReadOnlyList<ulong>? pointers, DescriptionParts parts)
    {
        foreach (JsonProperty part in parts.Once(root, ""))
        {
            switch (part.Name)
            {
                case "types":
                    TypesPart.Read(part.Value, parts);
                    break;
                case "globals" or "subDescriptors":
                    new GlobalsPart(pointers, parts).Read(part);
                    break;
                case "contracts":
                    ContractsPart.Read(part.Value, parts);
                    break;
                case "baseline":
                    parts.Baseline = parts.Text(part);
                    break;
                case "target":
                    parts.Target = TargetPart.Read(part.Value, parts);
                    break;
            }
        }
    }
}
