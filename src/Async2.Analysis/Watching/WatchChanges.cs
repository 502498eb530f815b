using Async2.Analysis.Comparison;
using Async2.Analysis.Model;
using Async2.Analysis.Operations;

namespace Async2.Analysis.Watching;

/// <summary>What became of the stacks of each group between two looks, counted as <c>diff</c> counts.</summary>
internal sealed class WatchChanges
{
    private readonly Dictionary<string, LogicalStack> _before;
    private readonly HashSet<string> _now;
    private readonly StackPairs _pairs;

    /// <param name="before">Groups of the earlier look.</param>
    /// <param name="now">Those of the later one, by key.</param>
    /// <param name="pairs">Which stacks are the same operation.</param>
    public WatchChanges(IEnumerable<WatchGroup> before, IEnumerable<(string Key, LogicalStack Stack)> now, StackPairs pairs)
    {
        _pairs = pairs;
        _before = before.ToDictionary(group => group.Key, group => group.Stack, StringComparer.Ordinal);
        _now = [.. now.Where(group => group.Stack.Members.Count > 0).Select(group => group.Key)];
    }

    /// <summary>What became of a group. Who left it for another one is in none of moved, new and gone.</summary>
    /// <param name="key">Its key.</param>
    /// <param name="now">Its stacks now; null if there are none.</param>
    public ChangeCounts Of(string key, LogicalStack? now)
    {
        LogicalStack? before = _before.GetValueOrDefault(key);
        long stuck = 0, moved = 0, begun = 0, gone = 0;
        foreach (int member in now?.Members ?? [])
        {
            if (_pairs.OfAfter(member) is not { } pair)
                begun++;
            else if (pair.IsStuck)
                stuck++;
            else
                moved++;
        }
        foreach (int member in before?.Members ?? [])
        {
            if (_pairs.OfBefore(member) is null)
                gone++;
        }
        return new(before?.Members.Count ?? 0, now?.Members.Count ?? 0, stuck, moved, begun, gone);
    }

    /// <summary>All groups of both looks together.</summary>
    public ChangeCounts Total(IEnumerable<ChangeCounts> now)
        => ChangeCounts.Sum(now.Concat(_before.Keys.Where(key => !_now.Contains(key)).Select(key => Of(key, null))));
}
