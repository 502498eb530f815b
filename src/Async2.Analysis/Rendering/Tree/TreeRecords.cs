using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Text.Json;
using System.Text.Json.Serialization;
using Async2.Analysis.Model;
using Async2.Analysis.Rendering.Json;
using Async2.Analysis.Rendering.Text;

namespace Async2.Analysis.Rendering.Tree;

/// <summary>A page of the tree, schema <c>async2.tree/1</c> (docs/dap.md). Indexes count through all pages.</summary>
internal sealed record TreePage
{
    public const string SchemaId = "async2.tree/1";

    public string Schema { get; } = SchemaId;

    public required int Page { get; init; }

    /// <summary>Number of the next page; absent on the last one.</summary>
    public int? Next { get; init; }

    /// <summary>On page 0.</summary>
    public TreeHead? Head { get; init; }

    public required IEnumerable<TreeFrame> Frames { get; init; }

    public required NodeColumns Nodes { get; init; }

    public required IEnumerable<TreeStack> Stacks { get; init; }
}

/// <summary>Facts about all stacks together; on the first page.</summary>
internal sealed record TreeHead(
    TargetRecord Target, TotalsRecord Totals, bool Complete, string Verdict, IEnumerable<FindingRecord> Findings, IEnumerable<ProblemRecord> Problems)
{
    [Description("Who holds what is waited for, and what findings are about: from a resource to a stack or a thread.")]
    public IEnumerable<EdgeRecord>? Edges { get; init; }

    [Description("What several stacks wait for, or what somebody holds: semaphores, locks, channels, pools. What else is waited for, its stack says.")]
    public IEnumerable<ResourceRecord>? Resources { get; init; }

    [Description("Where and when it was read.")]
    public CaptureRecord? Capture { get; init; }

    [Description("What somebody has noted about stacks.")]
    public IEnumerable<NoteRecord>? Notes { get; init; }

    [Description("What became of the stacks since an earlier look; absent after the first one.")]
    public SinceRecord? Since { get; init; }
}

/// <summary>
/// Nodes: the frame of each, and pairs of a node and its caller's node. A node without a pair has the node before it as its caller, as it is
/// along a stack.
/// </summary>
/// <param name="Frame">Frame of each node.</param>
/// <param name="Joins">A node and its caller's node (-1 for none); a node without a pair has the node before it as its caller.</param>
internal sealed record NodeColumns(IEnumerable<int> Frame, IEnumerable<NodeJoin> Joins);

/// <summary>A node and its caller's node, written as a pair because there are many.</summary>
[JsonConverter(typeof(PairConverter))]
internal readonly record struct NodeJoin(int Node, int Outer)
{
    /// <summary>Writes <c>[7,3]</c>.</summary>
    internal sealed class PairConverter : JsonConverter<NodeJoin>
    {
        public override NodeJoin Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) => throw new NotSupportedException();

        public override void Write(Utf8JsonWriter writer, NodeJoin value, JsonSerializerOptions options)
        {
            writer.WriteStartArray();
            writer.WriteNumberValue(value.Node);
            writer.WriteNumberValue(value.Outer);
            writer.WriteEndArray();
        }
    }
}

/// <summary>A stack, whose frames are those of its node and of all callers' nodes.</summary>
internal sealed record TreeStack : StackFields
{
    [SetsRequiredMembers]
    internal TreeStack(LogicalStack stack)
        : base(stack)
    {
        Frames = stack.Frames.Count;
        Wait = stack.WaitingOn is { } wait ? new TreeWait(wait) : null;
        Labels = stack.Labels.IsEmpty ? null : stack.Labels.Select(label => (Name: SafeText.Escape(label.Name), label.Value)).DistinctBy(label => label.Name).ToDictionary(label => label.Name, label => SafeText.Escape(label.Value), StringComparer.Ordinal);
        LabelText = SafeText.Escape(LabelLine.Of(stack));
        Shares = stack.Labels.Any(label => !label.Shares.IsDefaultOrEmpty) ? stack.Labels.Where(label => !label.Shares.IsDefaultOrEmpty).DistinctBy(label => SafeText.Escape(label.Name))
            .ToDictionary(label => SafeText.Escape(label.Name), label => label.Shares.Select(share => new LabelShareRecord(SafeText.Escape(share.Value), share.Count)), StringComparer.Ordinal) : null;
        Key = stack.Key;
        Equal = stack.Equal is { } equal ? new EqualRecord(equal) : null;
    }

    [JsonPropertyOrder(-2)]
    [Description("The same in every run of one build: made of methods, IL offsets and kinds.")]
    public string? Key { get; init; }

    /// <summary>Number of frames, including folded recursion.</summary>
    public required int Frames { get; init; }

    /// <summary>Number of its innermost node; -1 for a stack without frames.</summary>
    public required int Node { get; init; }

    public TreeWait? Wait { get; init; }

    [Description("The labels in one line, with counts: `GET /orders/{id}, 398 requests, e.g. trace 4bf92f35`.")]
    public string? LabelText { get; init; }

    [Description("Of labels of which equal stacks have several values: which, and how many have each. Absent where there are more than twenty.")]
    public IReadOnlyDictionary<string, IEnumerable<LabelShareRecord>>? Shares { get; init; }

    [Description("What became of its operations since the earlier look.")]
    public FatesRecord? Fates { get; init; }

    [JsonPropertyOrder(2)]
    [Description("What each of equal stacks has for itself; only if requested.")]
    public EqualRecord? Equal { get; init; }

    /// <summary>Variables by the index of their frame (0 = innermost); only if requested. For equal stacks, those of the first.</summary>
    [JsonPropertyOrder(1)]
    public IReadOnlyDictionary<string, IEnumerable<LocalRecord>>? Locals { get; init; }
}

/// <summary>What the innermost frame waits for, escaped for a page.</summary>
internal sealed record TreeWait : WaitFields
{
    [SetsRequiredMembers]
    internal TreeWait(WaitingOn wait)
        : base(wait)
    {
        (Text, Type) = (SafeText.Escape(wait.FullText), SafeText.Escape(wait.Type));
        (ResourceType, Name) = (SafeText.Escape(wait.Resource?.Type), SafeText.Escape(wait.Resource?.Name));
        Short = SafeText.Escape(DisplayText.Head(wait.Text));
    }

    /// <summary>The thing without details, the same for all waiters of such a thing.</summary>
    [JsonPropertyOrder(1)]
    public required string Short { get; init; }
}

/// <summary>Generated serializer of pages; plain ASCII, and nothing in it ends a script element.</summary>
[JsonSourceGenerationOptions(
    GenerationMode = JsonSourceGenerationMode.Metadata,
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(TreePage))]
[JsonSerializable(typeof(EqualRecord))]
internal sealed partial class TreeJson : JsonSerializerContext;
