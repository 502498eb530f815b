using System.Diagnostics.CodeAnalysis;
using System.Text.Json.Serialization;
using Async2.Analysis.Model;
using Async2.Analysis.Rendering.Json;
using Async2.Analysis.Rendering.Text;

namespace Async2.Analysis.Rendering.Tree;

/// <summary>A page of the tree, schema <c>async2.tree/1</c> (docs/dap.md). Numbers count through all pages.</summary>
internal sealed record TreePage
{
    public const string SchemaId = "async2.tree/1";

    public string Schema { get; } = SchemaId;

    public required int Page { get; init; }

    public int? Next { get; init; }

    public TreeHead? Head { get; init; }

    public required IEnumerable<FrameRow> Frames { get; init; }

    public required NodeColumns Nodes { get; init; }

    public required IEnumerable<TreeStack> Stacks { get; init; }
}

/// <summary>What is true of all stacks together; on the first page.</summary>
internal sealed record TreeHead(
    TargetRecord Target, TotalsRecord Totals, bool Complete, string Verdict, IEnumerable<FindingRecord> Findings, IEnumerable<ProblemRecord> Problems);

/// <summary>
/// Nodes: the frame of each, and pairs of a node and the one outside of it. Where there is no pair it is the one before, as it is
/// along a stack.
/// </summary>
internal sealed record NodeColumns(IEnumerable<int> Frame, IEnumerable<int[]> Joins);

/// <summary>A stack, whose frames are those of its node and of all outside of that.</summary>
internal sealed record TreeStack : StackFields
{
    [SetsRequiredMembers]
    internal TreeStack(LogicalStack stack)
        : base(stack)
    {
        Frames = stack.Frames.Count;
        Wait = stack.WaitingOn is { } wait ? new TreeWait(wait) : null;
    }

    public required int Frames { get; init; }

    /// <summary>Its innermost node; -1 without frames.</summary>
    public required int Node { get; init; }

    public TreeWait? Wait { get; init; }

    /// <summary>Variables by the index of their frame from the innermost; only when they were asked for.</summary>
    [JsonPropertyOrder(1)]
    public IReadOnlyDictionary<string, IEnumerable<LocalRecord>>? Locals { get; init; }
}

/// <summary>What the innermost frame waits for, harmless on a page.</summary>
internal sealed record TreeWait : WaitFields
{
    [SetsRequiredMembers]
    internal TreeWait(WaitingOn wait)
        : base(wait)
    {
        (Text, Type) = (SafeText.Escape(wait.FullText), SafeText.Escape(wait.Type));
        Short = SafeText.Escape(DisplayText.Head(wait.Text));
    }

    /// <summary>The thing without details, the same for all that wait for such a thing.</summary>
    [JsonPropertyOrder(1)]
    public required string Short { get; init; }
}

/// <summary>Generated serializer of pages; plain ASCII, and nothing in it ends a script element.</summary>
[JsonSourceGenerationOptions(
    GenerationMode = JsonSourceGenerationMode.Metadata,
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(TreePage))]
internal sealed partial class TreeJson : JsonSerializerContext;
