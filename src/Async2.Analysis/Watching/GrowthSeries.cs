using System.Collections.Immutable;
using Async2.Analysis.Comparison;
using Async2.Analysis.Model;
using Async2.Analysis.Query;

namespace Async2.Analysis.Watching;

/// <summary>
/// Finds what only grows over several looks at one program, oldest first: groups of equal stacks that never shrink from one look to the next and are more at
/// the end than at the beginning. Built on <see cref="WatchSeries"/>: it keeps the last two models, and of those before them numbers.
/// </summary>
/// <param name="options">Which stacks count.</param>
/// <param name="length">How many looks there will be.</param>
public sealed class GrowthSeries(AnalysisOptions options, int length)
{
    /// <summary>Of fewer looks nobody can say what only grows.</summary>
    public const int Least = 3;

    private readonly WatchSeries _series = new(options, length);
    private readonly ImmutableArray<TargetFacts>.Builder _targets = ImmutableArray.CreateBuilder<TargetFacts>();
    private readonly ImmutableArray<long>.Builder _stacks = ImmutableArray.CreateBuilder<long>();
    private readonly List<Problem> _problems = [];
    // How many operations of each group went on or ended; null where operations are not known again.
    private readonly Dictionary<string, long> _ended = new(StringComparer.Ordinal);
    private bool _knowsOperations = true;
    private bool _complete = true;
    private WatchLook? _last;

    /// <summary>Takes the next look.</summary>
    /// <param name="model">Taken later than all before it.</param>
    /// <param name="cancellation">When set, the view is what was found until then.</param>
    /// <exception cref="QueryException">A pattern takes too long.</exception>
    public void Add(AsyncModel model, CancellationToken cancellation = default)
    {
        WatchLook? before = _last;
        _last = _series.Add(model, cancellation);
        _targets.Add(model.Target);
        _stacks.Add(_last.Groups.Sum(group => group.Stack.Count));
        _complete &= _last.View.Complete;
        _problems.AddRange(_last.View.Problems.Where(problem => _problems.TrueForAll(known => known.Code != problem.Code || known.Text != problem.Text)));
        if (before is null)
            return;
        _knowsOperations &= _last.Changes is not null;
        foreach (WatchGroup group in _last.Groups)
        {
            if (group.Changes is { } changes)
                _ended[group.Key] = _ended.GetValueOrDefault(group.Key) + changes.Before - changes.Stuck;
        }
    }

    /// <summary>What was found in all looks.</summary>
    /// <exception cref="InvalidOperationException">There were fewer than <see cref="Least"/>.</exception>
    public TargetGrowth Finish()
    {
        if (_targets.Count < Least)
            throw new InvalidOperationException(FormattableString.Invariant($"what only grows is known after {Least} looks"));
        long? over = TargetComparison.Apart(_targets[0], _targets[^1]) is > 0 and var ms ? ms : null;
        GrowthGroup[] groups = [.. _last!.Groups.Where(group => OnlyGrows(group.Trend)).Select(group => Of(group, over))];
        return new()
        {
            Targets = _targets.ToImmutable(),
            Stacks = _stacks.ToImmutable(),
            OverMs = over,
            Filter = _last.View.Matching?.Filter,
            Groups = [.. groups.OrderByDescending(group => group.Growth).ThenByDescending(group => group.Counts[^1]).ThenBy(group => group.Stack.Key, StringComparer.Ordinal)],
            Others = _last.Groups.Length - groups.Length,
            Problems = [.. _problems],
            Complete = _complete,
        };
    }

    /// <summary>It never shrinks, and is more at the end than at the beginning.</summary>
    internal static bool OnlyGrows(ImmutableArray<long> counts) => counts[^1] > counts[0] && counts.Zip(counts.Skip(1)).All(step => step.Second >= step.First);

    private GrowthGroup Of(WatchGroup group, long? over)
        => new(group.Stack, group.Trend, over is { } ms ? (group.Trend[^1] - group.Trend[0]) * 60_000.0 / ms : null, _knowsOperations ? _ended.GetValueOrDefault(group.Key) : null);
}
