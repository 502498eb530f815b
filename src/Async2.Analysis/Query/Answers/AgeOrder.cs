using Async2.Analysis.Analyses.Ages;
using Async2.Analysis.Model.Ages;

namespace Async2.Analysis.Query.Answers;

/// <summary>The order by age: what has provably waited longest comes first, idle loops last as always; in a group the oldest is the one that is shown.</summary>
internal static class AgeOrder
{
    /// <summary>Puts the stacks of each group in that order, and says how to compare groups.</summary>
    /// <param name="groups">Those of the answer.</param>
    /// <param name="ages">Ages of stacks.</param>
    /// <param name="others">The order of groups of the same age.</param>
    public static Comparison<StackGroup> Of(IEnumerable<StackGroup> groups, WaitAges ages, StackOrder others)
    {
        var oldest = new Dictionary<StackGroup, StackAge?>();
        foreach (StackGroup group in groups)
        {
            var known = new Dictionary<int, StackAge?>(group.Members.Count);
            foreach (int member in group.Members)
                known[member] = ages.OfStack(member);
            group.Sort((a, b) => GroupAges.Compare(known[b], known[a]) is not 0 and var byAge ? byAge : a.CompareTo(b));
            oldest[group] = known[group.First];
        }
        return (a, b) =>
        {
            int byIdle = (a.Key.Idle != 0).CompareTo(b.Key.Idle != 0);
            int byAge = byIdle != 0 ? byIdle : GroupAges.Compare(oldest[b], oldest[a]);
            return byAge != 0 ? byAge : others.Compare(a, b);
        };
    }
}
