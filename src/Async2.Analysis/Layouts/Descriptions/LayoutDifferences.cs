using Async2.Analysis.Model;

namespace Async2.Analysis.Layouts.Descriptions;

/// <summary>Where a description and the target's metadata do not agree. The description is believed, and that is said.</summary>
internal static class LayoutDifferences
{
    /// <param name="facts">What descriptions say.</param>
    /// <param name="type">The type in their words.</param>
    /// <param name="metadata">Offsets that metadata has, by the names of descriptions.</param>
    public static IEnumerable<Problem> Of(LayoutFacts facts, string type, IReadOnlyDictionary<string, int> metadata)
    {
        foreach ((string field, int own) in metadata)
        {
            if (facts.Field(type, field, own) is { } used && used.Offset != own)
            {
                yield return new Problem(ProblemCodes.LayoutDiffers, FormattableString.Invariant(
                    $"{type}.{field} is at {used.Offset} by layout {used.Source.Name}, which is used, and at {own} by the target's metadata"));
            }
        }
    }
}
