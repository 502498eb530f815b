using System.ComponentModel;
using System.Text.Json.Serialization;
using Async2.Analysis.Rendering.Json;
using Async2.Analysis.Rendering.Text;
using Async2.Analysis.Watching;

namespace Async2.Analysis.Rendering.Changes;

/// <summary>What the page of what only grows draws. Text from the target in it is harmless.</summary>
internal sealed record GrowthPage
{
    public required string Verdict { get; init; }

    public required TargetRecord First { get; init; }

    public required TargetRecord Last { get; init; }

    [Description("How many stacks each look has, oldest first.")]
    public required IEnumerable<long> Stacks { get; init; }

    public required bool Complete { get; init; }

    [Description("The filters as typed; absent without filters.")]
    public string? Filter { get; init; }

    [Description("Groups that only grow, the biggest growth first.")]
    public required IEnumerable<GrowthRow> Groups { get; init; }

    [Description("Groups that only grow and are not listed.")]
    public required int Rest { get; init; }

    [Description("How many groups of the last look do not only grow.")]
    public required long Others { get; init; }

    public required IEnumerable<ProblemRecord> Problems { get; init; }

    /// <param name="growth">What only grows.</param>
    /// <param name="options">How many groups.</param>
    public static GrowthPage Of(TargetGrowth growth, RenderOptions options)
    {
        int shown = Math.Min(options.Limit ?? int.MaxValue, growth.Groups.Length);
        return new()
        {
            Verdict = SafeText.Escape(GrowthSentence.Of(growth)),
            First = DiffPages.Of(growth.Targets[0]),
            Last = DiffPages.Of(growth.Targets[^1]),
            Stacks = growth.Stacks,
            Complete = growth.Complete,
            Filter = SafeText.Escape(growth.Filter),
            Groups = growth.Groups.Take(shown).Select(group => new GrowthRow(group, growth.OverMs)),
            Rest = growth.Groups.Length - shown,
            Others = growth.Others,
            Problems = growth.Problems.Select(DiffPages.Of),
        };
    }
}

/// <summary>A group that only grows.</summary>
internal sealed record GrowthRow : GroupRow
{
    internal GrowthRow(GrowthGroup group, long? over)
        : base(group.Stack)
        => (Counts, Pace) = (group.Counts, GrowthSentence.Pace(group, over));

    [Description("How many each look has, oldest first.")]
    public IEnumerable<long> Counts { get; }

    [Description("By how many, in which time, and how many went on: +15 in 3 min, 5 a minute; none went on.")]
    public string Pace { get; }
}

/// <summary>Generated serializer of the page; plain ASCII, and nothing in it ends a script element.</summary>
[JsonSourceGenerationOptions(
    GenerationMode = JsonSourceGenerationMode.Metadata,
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(GrowthPage))]
internal sealed partial class GrowthPageJson : JsonSerializerContext;
