using System.Collections.Immutable;
using Async2.Analysis.Model;
using Async2.Analysis.Operations;

namespace Async2.Analysis.Comparison;

/// <summary>Counts by group what became of stacks.</summary>
/// <param name="before">The earlier model.</param>
/// <param name="after">The later one.</param>
/// <param name="pairs">Which stacks are the same operation; null if that is not known, and numbers are compared.</param>
internal sealed class GroupChanges(AsyncModel before, AsyncModel after, StackPairs? pairs)
{
    private readonly Dictionary<string, Group> _groups = [];
    private readonly Dictionary<(string From, string To), long> _moves = [];

    /// <summary>Over all groups.</summary>
    public ChangeCounts Totals => ChangeCounts.Sum(_groups.Values.Select(group => group.Counts));

    /// <summary>Who went where.</summary>
    public ImmutableArray<DiffMove> Moves =>
    [
        .. _moves.OrderByDescending(move => move.Value).ThenBy(move => move.Key.From, StringComparer.Ordinal).ThenBy(move => move.Key.To, StringComparer.Ordinal)
            .Select(move => new DiffMove(_groups.GetValueOrDefault(move.Key.From)?.Id, _groups[move.Key.To].Id, move.Value)),
    ];

    /// <summary>Takes the stacks of both.</summary>
    public void Add(ImmutableArray<LogicalStack> were, ImmutableArray<LogicalStack> are)
    {
        foreach (LogicalStack stack in are)
            Add(stack, Of(stack, isNow: true), isNow: true);
        foreach (LogicalStack stack in were)
            Add(stack, Of(stack, isNow: false), isNow: false);
        if (pairs is not null)
            return;
        foreach (Group group in _groups.Values)
            (group.New, group.Gone) = (Math.Max(0, group.After - group.Before), Math.Max(0, group.Before - group.After));
    }

    /// <summary>All groups: what is stuck first, then what changed most, idle loops last. Moves name them from then on.</summary>
    public ImmutableArray<DiffGroup> Finish() =>
    [
        .. _groups.Values.OrderBy(group => group.Stack.Idle is not null).ThenByDescending(group => group.Stuck).ThenByDescending(group => group.New + group.Gone)
            .ThenByDescending(group => group.Moved + group.Left).ThenBy(group => group.Key, StringComparer.Ordinal).Select((group, i) => group.Finish(i + 1)),
    ];

    private Group Of(LogicalStack stack, bool isNow)
    {
        string key = KeyOf(stack);
        if (!_groups.TryGetValue(key, out Group? group))
            _groups[key] = group = new(key, stack, isNow);
        return group;
    }

    private void Add(LogicalStack stack, Group group, bool isNow)
    {
        if (isNow)
            group.After += stack.Count;
        else
            group.Before += stack.Count;
        if (pairs is null)
            return;
        foreach (int member in stack.Members)
        {
            StackPair? pair = isNow ? pairs.OfAfter(member) : pairs.OfBefore(member);
            if (isNow)
                AddNow(pair, group);
            else if (pair is null)
                group.Gone++;
            else if (!pair.Value.IsStuck && KeyOf(after, pair.Value.After) != group.Key)
                group.Left++;
        }
    }

    private void AddNow(StackPair? known, Group group)
    {
        if (known is not { } pair)
        {
            group.New++;
        }
        else if (pair.IsStuck)
        {
            group.Stuck++;
            group.Known[(int)pair.By]++;
        }
        else
        {
            group.Moved++;
            Count(KeyOf(before, pair.Before), group.Key);
        }
    }

    /// <summary>The group of a stack: the same in each model of a program.</summary>
    public static string KeyOf(LogicalStack stack) => KeyOf(stack.Key, stack.WaitingOn?.Resource?.Name);

    private static string KeyOf(AsyncModel model, int stack) => KeyOf(model.KeyOf(stack), model.ResourceOf(stack)?.Name);

    // Who waits for different locks is not in one place.
    private static string KeyOf(string? stack, string? resource) => $"{stack} {resource}";

    private void Count(string from, string to) => _moves[(from, to)] = _moves.GetValueOrDefault((from, to)) + 1;

    private sealed class Group(string key, LogicalStack stack, bool isNow)
    {
        public string Key { get; } = key;

        public LogicalStack Stack { get; } = stack;

        public string Id { get; private set; } = "";

        public long[] Known { get; } = new long[Enum.GetValues<MatchedBy>().Length];

        public long Before { get; set; }

        public long After { get; set; }

        public long Stuck { get; set; }

        public long Moved { get; set; }

        public long New { get; set; }

        public long Gone { get; set; }

        public long Left { get; set; }

        public ChangeCounts Counts => new(Before, After, Stuck, Moved, New, Gone);

        // Ids of the answers about each of the two would be ambiguous.
        public DiffGroup Finish(int number)
        {
            Id = FormattableString.Invariant($"g{number}");
            return new(Stack with { Id = Id, Count = isNow ? After : Before, AwaitedBy = [], Members = [] }, Counts, Left, KnownBy());
        }

        private ImmutableArray<KnownBy> KnownBy() => [.. Enum.GetValues<MatchedBy>().Where(by => Known[(int)by] > 0).OrderByDescending(by => Known[(int)by]).Select(by => new KnownBy(by, Known[(int)by]))];
    }
}
