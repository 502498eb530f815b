using Async2.Analysis.Formatting;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Ages;

namespace Async2.Analysis.Analyses.Ages;

/// <summary>Says in a finding for how long its stacks have waited.</summary>
internal static class AgeClause
{
    /// <summary><c>, for 12 s</c>, <c>, the oldest for at least 12 s</c>; empty if that is not known, or not long.</summary>
    /// <param name="model">Has the stacks.</param>
    /// <param name="stacks">Their numbers.</param>
    public static string Of(AsyncModel model, IReadOnlyList<int> stacks) => GroupAges.Of(WaitAges.Of(model), stacks) is { } age && AgeFormatter.IsShown(age) ? Of(age, stacks.Count) : "";

    /// <summary>The same of an age that is known, however short.</summary>
    /// <param name="age">That of the oldest.</param>
    /// <param name="count">Of how many stacks.</param>
    public static string Of(StackAge age, int count) => (count == 1 ? ", for " : ", the oldest for ") + AgeFormatter.Bounds(age);
}
