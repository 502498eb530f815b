using System.Collections.Immutable;
using Async2.Analysis.Formatting;
using Async2.Analysis.Model;

namespace Async2.Analysis.Query.Answers;

/// <summary>Which stacks wait for which, by their ids: every node is shown once, and referenced elsewhere.</summary>
internal sealed class StackReferences
{
    // More names are not useful; the counts are in the text.
    private const int ReferenceLimit = 20;

    private readonly AsyncModel _model;
    private readonly StackGrouper _stacks;
    private readonly Dictionary<StackGroup, string> _ids;
    private readonly Dictionary<StackGroup, List<string>> _awaitedBy = [];

    /// <param name="model">The model.</param>
    /// <param name="stacks">All groups.</param>
    /// <param name="ordered">The groups in the order of their ids.</param>
    /// <param name="ids">Id of each group.</param>
    public StackReferences(AsyncModel model, StackGrouper stacks, IEnumerable<StackGroup> ordered, Dictionary<StackGroup, string> ids)
    {
        _model = model;
        _stacks = stacks;
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

    /// <summary>Stacks that continue when this one is done.</summary>
    public ImmutableArray<string> AwaitedBy(StackGroup group) => _awaitedBy.TryGetValue(group, out List<string>? ids) ? [.. ids] : [];

    /// <summary>Text for the pending tasks without frames that a group's combinator waits for; null if there are none.</summary>
    public string? LeavesOf(StackGroup group)
        => CombinatorOf(group) is >= 0 and var combinator && _model.Awaits.LeavesOf(combinator) is { Count: > 0 } leaves
            ? WaitFormatter.PendingText(leaves.Select(leaf => _model.Reasons.GetValueOrDefault(leaf))) : null;

    /// <summary>What a group waits for, with the ids of stacks.</summary>
    /// <param name="group">The group.</param>
    /// <param name="wait">The wait of its first member.</param>
    public WaitingOn? Complete(StackGroup group, WaitingOn? wait)
    {
        if (CombinatorOf(group) >= 0 && wait is not null)
            return wait with { Pending = [.. AwaitedOf(group).Take(ReferenceLimit).Select(g => _ids[g])] };
        StackGroup? awaited = NodeOf(group) is >= 0 and var node ? _stacks.GroupOf(node) : null;
        bool isHeld = (_model.Stacks.Rows[group.First].Flags & StackFlags.IsHeld) != 0;
        return awaited is null ? wait
            : (wait ?? new WaitingOn(WaitKind.Task, "Task")) with { Kind = isHeld && wait is not null ? wait.Kind : WaitKind.Task, Stack = _ids[awaited] };
    }

    private int CombinatorOf(StackGroup group) => _model.WaitsFor(group.First) is var node && _model.Awaits.IsCombinator(node) ? node : -1;

    private int NodeOf(StackGroup group) => _model.WaitsForNode(group.First);

    private IEnumerable<StackGroup> AwaitedOf(StackGroup group)
    {
        if (CombinatorOf(group) is >= 0 and var combinator)
            return PartsOf(combinator);
        return NodeOf(group) is >= 0 and var node && _stacks.GroupOf(node) is { } awaited && awaited != group ? [awaited] : [];
    }

    // A combinator may wait for combinators.
    private IEnumerable<StackGroup> PartsOf(int combinator)
    {
        var seen = new HashSet<int> { combinator };
        var ahead = new Queue<int>(seen);
        var groups = new HashSet<StackGroup>();
        while (ahead.TryDequeue(out int next))
        {
            foreach (int part in _model.Awaits.PartsOf(next))
            {
                if (!_model.Awaits.IsCombinator(part))
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
