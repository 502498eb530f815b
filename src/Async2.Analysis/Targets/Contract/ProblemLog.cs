using System.Collections.Immutable;
using Async2.Analysis.Model;

namespace Async2.Analysis.Targets.Contract;

/// <summary>Collects the problems of one analysis; equal ones are kept once, and many of one kind are counted, not stored.</summary>
internal sealed class ProblemLog
{
    private const int StoredPerCode = 100;

    // Beyond this number a repetition of a new problem is no longer recognised, and counts again.
    private const int Remembered = 100_000;

    private readonly List<Problem> _problems = [];
    private readonly HashSet<Problem> _seen = [];
    private readonly SortedDictionary<string, int> _counts = new(StringComparer.Ordinal);

    /// <summary>Frames or stacks are missing from the answer because of a problem.</summary>
    public bool IsPartial { get; private set; }

    public void Add(string code, string text, ulong? address = null) => Add(new Problem(code, text, address));

    /// <summary>A problem because of which frames or stacks are missing: the answer is partial.</summary>
    public void AddPartial(Problem problem)
    {
        IsPartial = true;
        Add(problem);
    }

    public void Add(Problem problem)
    {
        if (_seen.Count < Remembered ? !_seen.Add(problem) : _seen.Contains(problem))
            return;
        int count = _counts[problem.Code] = _counts.GetValueOrDefault(problem.Code) + 1;
        if (count <= StoredPerCode)
            _problems.Add(problem);
    }

    /// <summary>The same, but a problem with several addresses is reported once: a torn moment shows in hundreds of places.</summary>
    public ImmutableArray<Problem> Joined()
    {
        var all = ImmutableArray.CreateBuilder<Problem>();
        foreach (IGrouping<(string Code, string Text), Problem> equal in _problems.GroupBy(problem => (problem.Code, problem.Text)))
        {
            int stored = equal.Count(), more = Math.Max(0, _counts[equal.Key.Code] - StoredPerCode);
            string times = more > 0 ? FormattableString.Invariant($" ({stored} times at least)") : stored > 1 ? FormattableString.Invariant($" ({stored} times)") : "";
            all.Add(equal.First() with { Text = equal.Key.Text + times });
        }
        return all.ToImmutable();
    }

    /// <summary>In order of discovery; one problem for each code counts those that were not stored.</summary>
    public ImmutableArray<Problem> ToImmutable()
    {
        var all = _problems.ToImmutableArray().ToBuilder();
        foreach ((string code, int count) in _counts)
        {
            if (count > StoredPerCode)
                all.Add(new Problem(code, FormattableString.Invariant($"... and {count - StoredPerCode:N0} more of this kind")));
        }
        return all.ToImmutable();
    }
}
