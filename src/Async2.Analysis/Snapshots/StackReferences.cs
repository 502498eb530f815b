using System.Collections.Immutable;
using System.Globalization;
using Async2.Analysis.Model.Graph;
using Async2.Analysis.Model;
using Async2.Analysis.Stacks;
using Async2.Analysis.Waits.Reading;

namespace Async2.Analysis.Snapshots;

/// <summary>Which stacks wait for which, by the ids they are shown with: every node is shown once, and named wherever else it belongs.</summary>
internal sealed class StackReferences
{
    // More names than this help nobody; the counts are in the text.
    private const int ReferenceLimit = 20;

    private readonly Coalescer _stacks;
    private readonly AsyncGraph _graph;
    private readonly Dictionary<StackGroup, string> _ids;
    private readonly Dictionary<StackGroup, List<string>> _awaitedBy = [];

    /// <param name="stacks">All groups.</param>
    /// <param name="graph">Who waits for whom.</param>
    /// <param name="ordered">The groups in the order of their ids.</param>
    /// <param name="ids">Id of each group.</param>
    public StackReferences(Coalescer stacks, AsyncGraph graph, IEnumerable<StackGroup> ordered, Dictionary<StackGroup, string> ids)
    {
        _stacks = stacks;
        _graph = graph;
        _ids = ids;
        foreach (StackGroup group in ordered)
        {
            foreach (StackGroup awaited in AwaitedOf(group))
            {
                if (!_awaitedBy.TryGetValue(awaited, out List<string>? waiters))
                    _awaitedBy[awaited] = waiters = [];
                if (waiters.Count < ReferenceLimit && !waiters.Contains(ids[group]))
                    waiters.Add(ids[group]);
            }
        }
    }

    /// <summary>Stacks that go on when this one is done.</summary>
    public ImmutableArray<string> AwaitedBy(StackGroup group) => _awaitedBy.TryGetValue(group, out List<string>? ids) ? [.. ids] : [];

    /// <summary>In words, the pending tasks without frames that a group's combinator waits for; null when there are none.</summary>
    public string? LeavesOf(StackGroup group, Func<ulong, WaitFacts?> describe)
    {
        if (group.WaitsForCombinator < 0 || _graph.LeavesOf(group.WaitsForCombinator) is not { Count: > 0 } leaves)
            return null;
        IEnumerable<string> names = leaves.Select(leaf => describe(leaf)?.What).OfType<string>().GroupBy(name => name)
            .OrderBy(name => name.Key, StringComparer.Ordinal)
            .Select(name => name.Count() == 1 ? name.Key : string.Create(CultureInfo.InvariantCulture, $"{name.Count()} x {name.Key}"));
        return string.Join(", ", names) is { Length: > 0 } text ? "lacks " + text : null;
    }

    /// <summary>What a group waits for, with the stacks in it.</summary>
    public WaitingOn? Complete(StackGroup group)
    {
        if (group.WaitsForCombinator >= 0 && group.WaitingOn is { } combined)
            return combined with { Pending = [.. AwaitedOf(group).Take(ReferenceLimit).Select(g => _ids[g])] };
        StackGroup? awaited = group.WaitsForNode < 0 ? null : _stacks.GroupOf(group.WaitsForNode);
        return awaited is null ? group.WaitingOn
            : (group.WaitingOn ?? new WaitingOn(WaitKind.Task, "Task")) with
            {
                Kind = group is { IsHeld: true, WaitingOn: { } held } ? held.Kind : WaitKind.Task,
                Stack = _ids[awaited],
            };
    }

    private IEnumerable<StackGroup> AwaitedOf(StackGroup group)
    {
        if (group.WaitsForCombinator >= 0)
            return PartsOf(group.WaitsForCombinator);
        return group.WaitsForNode >= 0 && _stacks.GroupOf(group.WaitsForNode) is { } awaited && awaited != group ? [awaited] : [];
    }

    // A combinator may wait for combinators.
    private IEnumerable<StackGroup> PartsOf(int combinator)
    {
        var seen = new HashSet<int> { combinator };
        var ahead = new Queue<int>(seen);
        var groups = new HashSet<StackGroup>();
        while (ahead.TryDequeue(out int next))
        {
            foreach (int part in _graph.PartsOf(next))
            {
                if (!_graph.IsCombinator(part))
                {
                    if (_stacks.GroupOf(part) is { } group)
                        groups.Add(group);
                }
                else if (seen.Add(part))
                {
                    ahead.Enqueue(part);
                }
            }
        }
        return groups.OrderBy(g => _ids[g].Length).ThenBy(g => _ids[g], StringComparer.Ordinal);
    }
}
