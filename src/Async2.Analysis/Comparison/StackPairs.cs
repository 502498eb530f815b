using System.Runtime.InteropServices;

namespace Async2.Analysis.Comparison;

/// <summary>An operation in two models.</summary>
/// <param name="Before">Number of its stack in the earlier one.</param>
/// <param name="After">The same in the later one.</param>
/// <param name="IsStuck">It is in the same place, and waits for the same.</param>
/// <param name="By">How it was known again.</param>
[StructLayout(LayoutKind.Auto)]
internal readonly record struct StackPair(int Before, int After, bool IsStuck, MatchedBy By);

/// <summary>
/// Which stacks of two models of a process are the same operation. By address where no collection came between: an address is not used again before.
/// After one by the timers of waits, and by order: a collection moves objects, but keeps their order, and what it has not moved is new.
/// </summary>
internal sealed class StackPairs
{
    // The target's tick and a timer's are read one after the other.
    private const long ClockStep = 2;

    private readonly OperationRows _before;
    private readonly OperationRows _after;
    private readonly Dictionary<ulong, ulong> _boundaries = [];
    private readonly Dictionary<int, StackPair> _byBefore = [];
    private readonly Dictionary<int, StackPair> _byAfter = [];

    /// <param name="before">The earlier one.</param>
    /// <param name="after">The later one.</param>
    /// <param name="collected">A collection came between.</param>
    public StackPairs(OperationRows before, OperationRows after, bool collected)
    {
        (_before, _after) = (before, after);
        PairThreads();
        if (collected)
            PairMoved();
        else
            PairAddresses();
    }

    /// <summary>What became of a stack of the earlier model; null if it is gone.</summary>
    public StackPair? OfBefore(int stack) => _byBefore.TryGetValue(stack, out StackPair pair) ? pair : null;

    /// <summary>Where a stack of the later model comes from; null if it is new.</summary>
    public StackPair? OfAfter(int stack) => _byAfter.TryGetValue(stack, out StackPair pair) ? pair : null;

    private IEnumerable<int> LeftBefore => _before.Stacks.Where(stack => !_byBefore.ContainsKey(stack));

    private IEnumerable<int> LeftAfter => _after.Stacks.Where(stack => !_byAfter.ContainsKey(stack));

    private void Add(int before, int after, bool isStuck, MatchedBy by)
    {
        var pair = new StackPair(before, after, isStuck, by);
        if (!_byBefore.ContainsKey(before) && _byAfter.TryAdd(after, pair))
            _byBefore.Add(before, pair);
    }

    // Threads of a pool execute one operation after the other: only who still stands there is the same.
    private void PairThreads()
    {
        ILookup<int, int> known = _before.Stacks.Where(stack => _before.ThreadOf(stack) is not null).ToLookup(stack => _before.ThreadOf(stack)!.Value);
        foreach (int after in _after.Stacks)
        {
            if (_after.ThreadOf(after) is not { } thread)
                continue;
            foreach (int before in known[thread].Where(stack => IsSamePlace(stack, after) && _before.WaitOf(stack) == _after.WaitOf(after)))
                Add(before, after, isStuck: true, MatchedBy.Thread);
        }
    }

    private void PairAddresses()
    {
        PairBy(_before.OperationOf, _after.OperationOf);
        // Of state machines each has its own object: the innermost may have returned to a caller that goes on.
        PairBy(_before.OutermostOf, _after.OutermostOf);
    }

    private void PairBy(Func<int, ulong> before, Func<int, ulong> after)
    {
        var known = new Dictionary<ulong, int>();
        foreach (int stack in LeftBefore)
            known.TryAdd(before(stack), stack);
        foreach (int stack in LeftAfter.ToArray())
        {
            if (after(stack) is not 0 and var address && known.TryGetValue(address, out int same))
                Add(same, stack, IsStuck(same, stack), MatchedBy.Address);
        }
    }

    private bool IsStuck(int before, int after) => IsSamePlace(before, after)
        && _before.OperationOf(before) == _after.OperationOf(after)
        && _before.SuspensionOf(before) == _after.SuspensionOf(after)
        && _before.WaitOf(before) == _after.WaitOf(after)
        && IsSameClock(before, after);

    private bool IsSamePlace(int before, int after) => !_after.IsActive(after) && _before.KeyOf(before) == _after.KeyOf(after);

    // Without a clock nothing speaks against it.
    private bool IsSameClock(int before, int after) => _before.DueOf(before) is not { } was || _after.DueOf(after) is not { } due || Math.Abs(due - was) <= ClockStep;

    private void PairMoved()
    {
        FindBoundaries();
        ILookup<string, int> now = LeftAfter.Where(stack => !_after.IsActive(stack)).ToLookup(_after.KeyOf);
        foreach (IGrouping<string, int> place in LeftBefore.GroupBy(_before.KeyOf).ToArray())
        {
            PairClocks(place, now[place.Key]);
            PairOrder([.. place.Where(stack => _before.DueOf(stack) is null).OrderBy(_before.OperationOf)],
                [.. now[place.Key].Where(stack => _after.DueOf(stack) is null && IsOld(stack)).OrderBy(_after.OperationOf)]);
        }
        ILookup<string, int> roots = LeftAfter.Where(stack => IsOld(_after.OutermostOf(stack))).OrderBy(_after.OutermostOf).ToLookup(_after.RootOf);
        foreach (IGrouping<string, int> root in LeftBefore.OrderBy(_before.OutermostOf).GroupBy(_before.RootOf).ToArray())
        {
            foreach ((int before, int after) in root.Zip(roots[root.Key]))
                Add(before, after, isStuck: false, MatchedBy.Order);
        }
    }

    private void PairClocks(IEnumerable<int> before, IEnumerable<int> after)
    {
        (int Stack, long Due)[] were = [.. Clocks(before, _before)], are = [.. Clocks(after, _after)];
        for (int i = 0, j = 0; i < were.Length && j < are.Length;)
        {
            if (Math.Abs(were[i].Due - are[j].Due) <= ClockStep)
                Add(were[i++].Stack, are[j++].Stack, isStuck: true, MatchedBy.Clock);
            else if (were[i].Due < are[j].Due)
                i++;
            else
                j++;
        }
    }

    private static IEnumerable<(int Stack, long Due)> Clocks(IEnumerable<int> stacks, OperationRows rows)
        => stacks.Select(stack => (Stack: stack, Due: rows.DueOf(stack))).Where(timed => timed.Due is not null).Select(timed => (timed.Stack, timed.Due!.Value))
            .OrderBy(timed => timed.Value).ThenBy(timed => rows.OperationOf(timed.Stack));

    // A collection keeps the order in which objects were made: what lies behind an await in a place where nobody stood before was made later, too.
    private void FindBoundaries()
    {
        HashSet<string> places = [.. _before.Stacks.Select(_before.KeyOf)];
        HashSet<long> clocks = [.. _before.Stacks.Select(_before.DueOf).OfType<long>().SelectMany(due => (long[])[due - ClockStep, due - 1, due, due + 1, due + ClockStep])];
        foreach (int stack in _after.Stacks)
        {
            if (places.Contains(_after.KeyOf(stack)) && (_after.DueOf(stack) is not { } due || clocks.Contains(due)))
                continue;
            foreach (ulong address in (ReadOnlySpan<ulong>)[_after.SuspensionOf(stack), _after.NewWaitOf(stack)])
            {
                if (_after.RangeOf(address) is { } range && address < _boundaries.GetValueOrDefault(range, ulong.MaxValue))
                    _boundaries[range] = address;
            }
        }
    }

    private bool IsOld(int stack) => IsOld(_after.OperationOf(stack)) && IsOld(_after.SuspensionOf(stack)) && IsOld(_after.WaitOf(stack));

    private bool IsOld(ulong address) => !_after.IsYoung(address) && (_after.RangeOf(address) is not { } range || address < _boundaries.GetValueOrDefault(range, ulong.MaxValue));

    // What was suspended since lies behind all that was not. Operations keep their own order: from where that and the order of what their last awaits
    // made agree no more, they went on and came back.
    private void PairOrder(int[] before, int[] after)
    {
        bool wasInOrder = IsAscending(before.Select(_before.LatestOf));
        ulong last = 0;
        int still = 0;
        int[] suspended = [.. after.OrderBy(_after.LatestOf).ThenBy(_after.OperationOf)];
        while (still < suspended.Length && (!wasInOrder || _after.OperationOf(suspended[still]) >= last))
            last = _after.OperationOf(suspended[still++]);
        foreach ((int was, int isNow) in before.Zip(suspended.Take(still).OrderBy(_after.OperationOf)))
            Add(was, isNow, isStuck: true, MatchedBy.Order);
    }

    private static bool IsAscending(IEnumerable<ulong> addresses)
    {
        ulong last = 0;
        foreach (ulong address in addresses)
        {
            if (address < last)
                return false;
            last = address;
        }
        return true;
    }
}
