using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Text.Json.Serialization;
using Async2.Analysis.Watching;

namespace Async2.Analysis.Rendering.Json;

/// <summary>The root of <c>async2.growth/1</c>.</summary>
internal sealed record GrowthDocument
{
    /// <summary>Name and version of the format; an incompatible change increases the number.</summary>
    public const string SchemaId = "async2.growth/1";

    [Description("Always async2.growth/1.")]
    public required string Schema { get; init; }

    [Description("Each look, oldest first.")]
    public required IEnumerable<TargetRecord> Targets { get; init; }

    [Description("Milliseconds from the first look to the last; absent if one of them does not say when it was taken.")]
    public long? OverMs { get; init; }

    [Description("The filters as typed; absent without filters.")]
    public string? Filter { get; init; }

    [Description("How many stacks each look has.")]
    public required IEnumerable<long> Stacks { get; init; }

    [Description("Groups that never shrink from one look to the next and are more in the last than in the first; the biggest growth first.")]
    public required IEnumerable<GrowthRecord> Groups { get; init; }

    [Description("How many other groups the last look has.")]
    public required long Others { get; init; }

    [Description("What could not be read or decided, of all looks.")]
    public required IEnumerable<ProblemRecord> Problems { get; init; }

    [Description("False if stacks of a look are known to be missing.")]
    public required bool Complete { get; init; }
}

/// <summary>A group that only grows.</summary>
internal sealed record GrowthRecord
{
    /// <summary>For reading.</summary>
    [JsonConstructor]
    public GrowthRecord()
    {
    }

    [SetsRequiredMembers]
    internal GrowthRecord(GrowthGroup group)
        => (Counts, Growth, PerMinute, Ended, Stack) = (group.Counts, group.Growth, group.PerMinute is { } minute ? Math.Round(minute, 2) : null, group.Ended, new(group.Stack));

    [Description("How many each look has, oldest first.")]
    public required IEnumerable<long> Counts { get; init; }

    [Description("How many more the last look has than the first.")]
    public required long Growth { get; init; }

    [Description("By how many it grows in a minute, on average; absent if it is not known when the looks were taken.")]
    public double? PerMinute { get; init; }

    [Description("How many operations went on or ended between the looks; absent if operations cannot be known again.")]
    public long? Ended { get; init; }

    [Description("The group as the last look has it.")]
    public required StackRecord Stack { get; init; }
}
