namespace Async2.Analysis.Operations;

/// <summary>
/// Knows operations again whose objects a collection has moved: by the timers of their waits, by what their variables and labels say, and by order. A
/// collection keeps the order of objects, so what still waits is in the order in which it was; and what was made since lies behind it.
/// </summary>
/// <param name="before">The earlier model.</param>
/// <param name="after">The later one.</param>
/// <param name="pairs">Receives who is who.</param>
internal sealed class MovedPairs(OperationRows before, OperationRows after, StackPairs pairs)
{
    private readonly HeapBoundary _boundary = new(after);
    private readonly bool _hasValues = before.HasValues && after.HasValues;

    public void Find()
    {
        NoteTimes();
        ILookup<string, int> were = ByPlace(pairs.LeftBefore, before), are = ByPlace(pairs.LeftAfter.Where(stack => !after.IsActive(stack)), after);
        var alike = new List<(int Before, int After)>();
        foreach (IGrouping<string, int> place in were)
        {
            PairClocks(place, are[place.Key]);
            alike.AddRange(Alike(place, are[place.Key]));
        }
        HashSet<int> stayed = Ascending(alike);
        foreach ((int was, int isNow) in alike)
            _boundary.Add(after.LatestOf(isNow), isNew: !stayed.Contains(isNow));
        foreach ((int was, int isNow) in alike.Where(pair => _boundary.IsOld(after.OutermostOf(pair.After))))
            pairs.Add(was, isNow, stayed.Contains(isNow) && IsOld(isNow), MatchedBy.Values);
        // In one place it shows where what is new begins, and that holds for all.
        foreach (IGrouping<string, int> place in were)
            NoteOrder(place, are[place.Key]);
        foreach (IGrouping<string, int> place in were)
            PairOrder(place, are[place.Key]);
        PairRoots();
    }

    private ILookup<string, int> ByPlace(IEnumerable<int> stacks, OperationRows rows) => stacks.ToLookup(stack => rows.IdentityOf(stack, _hasValues));

    // What lies behind an await in a place where nobody stood before was made since; a timer says itself when it was.
    private void NoteTimes()
    {
        HashSet<long> ticks = [.. before.Timers.Select(timer => timer.Tick)];
        long last = ticks.Count == 0 ? long.MaxValue : ticks.Max();
        foreach ((ulong address, long tick) in after.Timers)
        {
            if (ticks.Contains(tick) || tick > last)
                _boundary.Add(address, isNew: tick > last);
        }
        HashSet<string> places = [.. before.Stacks.Select(before.KeyOf)];
        foreach (int stack in after.Stacks.Where(stack => !places.Contains(after.KeyOf(stack))))
        {
            _boundary.Add(after.SuspensionOf(stack), isNew: true);
            _boundary.Add(after.NewWaitOf(stack), isNew: true);
        }
    }

    private void PairClocks(IEnumerable<int> were, IEnumerable<int> are)
    {
        PairClocks(Clocks(were, before.StartOf, before), Clocks(are, after.StartOf, after), 0);
        PairClocks(Clocks(were.Where(stack => before.StartOf(stack) is null), before.DueOf, before), Clocks(are.Where(stack => after.StartOf(stack) is null), after.DueOf, after), StackPairs.ClockStep);
    }

    private void PairClocks((int Stack, long Time)[] were, (int Stack, long Time)[] are, long step)
    {
        for (int i = 0, j = 0; i < were.Length && j < are.Length;)
        {
            if (Math.Abs(were[i].Time - are[j].Time) <= step)
                pairs.Add(were[i++].Stack, are[j++].Stack, isStuck: true, MatchedBy.Clock);
            else if (were[i].Time < are[j].Time)
                i++;
            else
                j++;
        }
    }

    private static (int Stack, long Time)[] Clocks(IEnumerable<int> stacks, Func<int, long?> time, OperationRows rows)
        => [.. stacks.Select(stack => (Stack: stack, Time: time(stack))).Where(timed => timed.Time is not null).Select(timed => (timed.Stack, timed.Time!.Value))
            .OrderBy(timed => timed.Value).ThenBy(timed => rows.RankOf(rows.OperationOf(timed.Stack)))];

    // One before and one now, in the same place with the same variables: the same operation, which may have been elsewhere meanwhile.
    private IEnumerable<(int Before, int After)> Alike(IEnumerable<int> were, IEnumerable<int> are)
    {
        int[] was = [.. were.Where(stack => pairs.OfBefore(stack) is null)], now = [.. are.Where(stack => pairs.OfAfter(stack) is null)];
        return _hasValues && was.Length == 1 && now.Length == 1 ? [(was[0], now[0])] : [];
    }

    // What has stayed is in the order in which it was: all but as few as possible, of each part of the heap. Who has a clock, and another one than before, has not.
    private HashSet<int> Ascending(List<(int Before, int After)> alike)
    {
        var stayed = new HashSet<int>();
        foreach (IGrouping<ulong?, (int Before, int After)> part in alike.Where(pair => !HasClock(pair.After)).GroupBy(pair => before.RangeOf(before.LatestOf(pair.Before))))
        {
            (int Before, int After)[] ordered = [.. part.OrderBy(pair => before.LatestOf(pair.Before))];
            stayed.UnionWith(LongestRise.Of([.. ordered.Select(pair => after.RankOf(after.LatestOf(pair.After)))]).Select(i => ordered[i].After));
        }
        return stayed;
    }

    private bool HasClock(int stack) => after.StartOf(stack) is not null || after.DueOf(stack) is not null;

    private bool IsOld(int stack) => _boundary.IsOld(after.OperationOf(stack)) && _boundary.IsOld(after.SuspensionOf(stack)) && _boundary.IsOld(after.WaitOf(stack));

    // What was suspended since lies behind all that was not. Operations keep their own order: from where that and the order of what their last awaits
    // made agree no more, they went on and came back.
    private (int[] Was, int[] Now, int Still) InOrder(IEnumerable<int> were, IEnumerable<int> are)
    {
        int[] was = [.. were.Where(stack => pairs.OfBefore(stack) is null && before.StartOf(stack) is null && before.DueOf(stack) is null).OrderBy(stack => before.RankOf(before.OperationOf(stack)))];
        int[] now = [.. are.Where(stack => pairs.OfAfter(stack) is null && !HasClock(stack) && IsOld(stack)).OrderBy(stack => after.RankOf(after.LatestOf(stack))).ThenBy(stack => after.RankOf(after.OperationOf(stack)))];
        int still = IsAscending(was.Select(stack => before.RankOf(before.LatestOf(stack)))) ? 0 : now.Length;
        ulong last = 0, lastOuter = 0;
        while (still < now.Length && after.RankOf(after.OperationOf(now[still])) >= last && after.RankOf(after.OutermostOf(now[still])) >= lastOuter)
            (last, lastOuter) = (after.RankOf(after.OperationOf(now[still])), after.RankOf(after.OutermostOf(now[still++])));
        return (was, now, still);
    }

    private void NoteOrder(IEnumerable<int> were, IEnumerable<int> are)
    {
        (_, int[] now, int still) = InOrder(were, are);
        foreach (int stack in now.Skip(still))
            _boundary.Add(after.LatestOf(stack), isNew: true);
    }

    private void PairOrder(IEnumerable<int> were, IEnumerable<int> are)
    {
        (int[] was, int[] now, int still) = InOrder(were, are);
        foreach ((int stack, int isNow) in was.Zip(now.Take(still).OrderBy(stack => after.RankOf(after.OperationOf(stack)))))
            pairs.Add(stack, isNow, isStuck: true, MatchedBy.Order);
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

    // Who is left has gone on: in the order in which they began.
    private void PairRoots()
    {
        ILookup<string, int> roots = pairs.LeftAfter.Where(stack => _boundary.IsOld(after.OutermostOf(stack))).OrderBy(stack => after.RankOf(after.OutermostOf(stack))).ToLookup(after.RootOf);
        foreach (IGrouping<string, int> root in pairs.LeftBefore.OrderBy(stack => before.RankOf(before.OutermostOf(stack))).GroupBy(before.RootOf).ToArray())
        {
            foreach ((int was, int isNow) in root.Zip(roots[root.Key]))
                pairs.Add(was, isNow, isStuck: false, MatchedBy.Order);
        }
    }
}

/// <summary>The longest part of a sequence that only rises.</summary>
internal static class LongestRise
{
    /// <returns>Positions, ascending; of equally long ones that which ends lowest.</returns>
    public static int[] Of(ReadOnlySpan<ulong> values)
    {
        var ends = new List<int>();
        int[] previous = new int[values.Length];
        for (int i = 0; i < values.Length; i++)
        {
            int low = 0, high = ends.Count;
            while (low < high)
            {
                int middle = (low + high) / 2;
                (low, high) = values[ends[middle]] <= values[i] ? (middle + 1, high) : (low, middle);
            }
            previous[i] = low == 0 ? -1 : ends[low - 1];
            if (low == ends.Count)
                ends.Add(i);
            else
                ends[low] = i;
        }
        int[] rise = new int[ends.Count];
        for (int i = rise.Length - 1, at = ends.Count == 0 ? -1 : ends[^1]; i >= 0; at = previous[at], i--)
            rise[i] = at;
        return rise;
    }
}
