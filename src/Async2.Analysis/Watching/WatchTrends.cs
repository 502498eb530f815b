using System.Collections.Immutable;

namespace Async2.Analysis.Watching;

/// <summary>How many stacks of each group there were in the last looks. A group is forgotten when none of these looks had one of it.</summary>
/// <param name="length">How many looks are known.</param>
internal sealed class WatchTrends(int length)
{
    private readonly Dictionary<string, Queue<long>> _counts = new(StringComparer.Ordinal);
    private int _looks;

    /// <summary>Takes the next look.</summary>
    /// <param name="groups">Its groups; those that it does not have are 0.</param>
    public void Add(IEnumerable<(string Key, long Count)> groups)
    {
        _looks = Math.Min(_looks + 1, length);
        var now = groups.ToDictionary(group => group.Key, group => group.Count, StringComparer.Ordinal);
        foreach (string key in now.Keys.Where(key => !_counts.ContainsKey(key)).ToArray())
            _counts[key] = new(Enumerable.Repeat(0L, _looks - 1));
        foreach ((string key, Queue<long> counts) in _counts.ToArray())
        {
            counts.Enqueue(now.GetValueOrDefault(key));
            while (counts.Count > _looks)
                counts.Dequeue();
            if (counts.All(count => count == 0))
                _counts.Remove(key);
        }
    }

    /// <summary>Those of a group of the last look, oldest first.</summary>
    public ImmutableArray<long> Of(string key) => [.. _counts[key]];
}
