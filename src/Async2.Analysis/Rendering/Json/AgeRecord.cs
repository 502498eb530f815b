using System.ComponentModel;
using System.Text.Json.Serialization;
using Async2.Analysis.Model.Ages;

namespace Async2.Analysis.Rendering.Json;

/// <summary>For how long something has waited or has not moved.</summary>
internal sealed record AgeRecord(
    [property: Description("At least so long, in milliseconds; 0 if nothing is known.")] long AtLeastMs,
    [property: Description("How that is known; without another bound, how atMostMs is.")]
    [property: JsonConverter(typeof(KebabEnum<AgeClock>))] AgeClock Clock)
{
    [Description("At most so long, in milliseconds; the same as atLeastMs where it is exact. Absent if there is no such bound.")]
    public long? AtMostMs { get; init; }

    [Description("How atMostMs is known.")]
    [JsonConverter(typeof(KebabEnum<AgeClock>))]
    public AgeClock? AtMostClock { get; init; }

    [Description("How many of the equal stacks have an age, if not all.")]
    public long? Stacks { get; init; }

    [Description("How many of equal stacks are how old, from the youngest on.")]
    public IEnumerable<AgeShareRecord>? Shares { get; init; }

    /// <param name="age">Null for none.</param>
    /// <param name="count">How many stacks are equal.</param>
    public static AgeRecord? Of(StackAge? age, long count) => age is null ? null : new(age.AtLeastMs, age.Clock)
    {
        AtMostMs = age.AtMostMs,
        AtMostClock = age.AtMostClock,
        Stacks = age.Stacks == count ? null : age.Stacks,
        Shares = age.Shares.Count == 0 ? null : age.Shares.Select(share => new AgeShareRecord(share.FromMs, share.Stacks)),
    };

    /// <param name="count">How many stacks are equal.</param>
    public StackAge Age(long count)
        => new(AtLeastMs, Clock, Stacks ?? count) { AtMostMs = AtMostMs, AtMostClock = AtMostClock, Shares = Shares is null ? [] : [.. Shares.Select(share => new AgeShare(share.FromMs, share.Stacks))] };
}

/// <summary>How many stacks are of an age.</summary>
internal sealed record AgeShareRecord(
    [property: Description("They have waited at least so long, in milliseconds.")] long FromMs,
    [property: Description("How many, that are not counted for a longer time.")] long Stacks);
