using Async2.Analysis.Formatting;
using Async2.Analysis.Model;

namespace Async2.Analysis.Analyses.Ages;

/// <summary>Says in a finding for how long its stacks have waited.</summary>
internal static class AgeClause
{
    /// <summary><c>, for 12 s</c>, <c>, the oldest for at least 12 s</c>; empty if that is not known, or not long.</summary>
    /// <param name="model">Has the stacks.</param>
    /// <param name="stacks">Their numbers.</param>
    public static string Of(AsyncModel model, IReadOnlyList<int> stacks)
        => GroupAges.Of(WaitAges.Of(model), stacks) is { } age && AgeFormatter.IsShown(age)
            ? (stacks.Count == 1 ? ", for " : ", the oldest for ") + AgeFormatter.Bounds(age) : "";
}
