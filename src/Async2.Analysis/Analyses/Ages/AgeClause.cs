using Async2.Analysis.Formatting;
using Async2.Analysis.Model.Ages;

namespace Async2.Analysis.Analyses.Ages;

/// <summary>Says in a finding for how long its stacks have waited.</summary>
internal static class AgeClause
{
    /// <summary><c>, for 12 s</c>, <c>, the oldest for at least 12 s</c>.</summary>
    /// <param name="age">That of the oldest.</param>
    /// <param name="count">Of how many stacks.</param>
    public static string Of(StackAge age, int count) => (count == 1 ? ", for " : ", the oldest for ") + AgeFormatter.Bounds(age);

    /// <summary>The same, but empty if the age is not known, or not long.</summary>
    /// <param name="age">That of the oldest.</param>
    /// <param name="count">Of how many stacks.</param>
    public static string IfLong(StackAge? age, int count) => age is not null && AgeFormatter.IsShown(age) ? Of(age, count) : "";
}
