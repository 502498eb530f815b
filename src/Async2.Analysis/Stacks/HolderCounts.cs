using System.Collections.Immutable;
using Async2.Analysis.Formatting;
using Async2.Analysis.Holders.Kept;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;

namespace Async2.Analysis.Stacks;

/// <summary>Holds what code says of holders against how many are out, where a semaphore has a maximum, and says it in what its waiters wait for.</summary>
internal static class HolderCounts
{
    /// <summary>Semaphores that somebody waits for, with what one of the waiters says of them.</summary>
    public static Dictionary<ulong, WaitReason> LocksIn(IEnumerable<WaitReason> reasons)
    {
        var locks = new Dictionary<ulong, WaitReason>();
        foreach (WaitReason reason in reasons)
        {
            for (WaitReason? level = reason; level is not null; level = level.Behind)
            {
                if (level is { Kind: WaitKind.Semaphore or WaitKind.Channel, Resource: not 0 } && FreeIn(level) is not null && !RateLimits.GivesByTime(level.Subject))
                    locks.TryAdd(level.Resource, level);
            }
        }
        return locks;
    }

    /// <summary>
    /// How many permits are free, of how many. A channel may be a pool: a bounded one has lent all that it has room for, and does not have; of another one it is not known, and only asked where several wait
    /// for an item. Null for all else.
    /// </summary>
    public static WaitFact? FreeIn(WaitReason reason)
    {
        foreach (WaitFact fact in reason.Shared)
        {
            if (reason.Kind == WaitKind.Channel ? fact.Key == WaitFactKey.Items && reason.Action == WaitAction.Read && (fact.Of is not null || (fact.Number == 0 && HaveSeveral(reason))) : fact.Key == WaitFactKey.Free)
                return fact;
        }
        return null;
    }

    private static bool HaveSeveral(WaitReason reason) => reason.Shared.Any(fact => fact is { Key: WaitFactKey.ReadersWaiting, Number: > 1 });

    /// <param name="rows">Claims, by lock.</param>
    /// <param name="locks">What is known of each lock.</param>
    /// <param name="useOf">What those who wait for it do with it, and whether one of them may have it already.</param>
    /// <param name="undecided">Frames that may hold something.</param>
    public static HolderFacts Confirm(IReadOnlyList<HolderRow> rows, IReadOnlyDictionary<ulong, WaitReason> locks, Func<ulong, (LockUse Use, bool IsMoving)> useOf, int undecided)
    {
        ILookup<ulong, HolderRow> byLock = rows.ToLookup(row => row.Lock);
        LockRow[] known = [.. locks.OrderBy(pair => pair.Key).Select(pair => RowOf(pair.Value, useOf(pair.Key)))];
        return new HolderFacts([.. known.SelectMany(row => Confirm(row, [.. byLock[row.Lock]], locks[row.Lock].Kind, isDecided: undecided == 0))], known, undecided);
    }

    /// <summary>The columns with holders, and with who holds it in all that is waited for.</summary>
    /// <param name="columns">The columns.</param>
    /// <param name="holders">The holders.</param>
    /// <param name="places">Names their places.</param>
    /// <param name="iterators">Where those stand that hold locks between two elements, by lock.</param>
    public static ModelColumns AddTo(ModelColumns columns, HolderFacts holders, ImmutableArray<FramePlace> places, IReadOnlyDictionary<ulong, LogicalFrame> iterators)
    {
        Dictionary<ulong, ImmutableArray<WaitFact>> facts = FactsOf(holders, places);
        foreach ((ulong address, LogicalFrame frame) in iterators)
            facts[address] = [new(WaitFactKey.HeldByOperations, 1) { IsBound = true }, new(WaitFactKey.HolderPlace, 1, PlaceFormatter.Of(frame))];
        return columns.With(Say(columns.Reasons, facts), columns.Facts with { Holders = holders, Blocked = Say(columns.Facts.Blocked, facts) });
    }

    private static IReadOnlyDictionary<TKey, WaitReason> Say<TKey>(IReadOnlyDictionary<TKey, WaitReason> reasons, Dictionary<ulong, ImmutableArray<WaitFact>> facts) where TKey : notnull
    {
        if (facts.Count == 0)
            return reasons;
        // Waiters of one resource have one array.
        var joined = new Dictionary<(ulong Lock, ImmutableArray<WaitFact> Shared), ImmutableArray<WaitFact>>();
        return reasons.ToDictionary(pair => pair.Key, pair => Say(pair.Value, facts, joined));
    }

    private static LockRow RowOf(WaitReason reason, (LockUse Use, bool IsMoving) known)
    {
        WaitFact free = FreeIn(reason)!.Value;
        int count = (int)Math.Clamp(free.Number, 0, int.MaxValue - 1);
        return new LockRow(reason.Resource, free.Of is { } all ? (int)Math.Clamp(all - count, 0, int.MaxValue - 1) : -1, count, known.Use, known.IsMoving);
    }

    /// <summary>Code says more of those who may hold a lock than can hold it.</summary>
    /// <param name="reason">What is known of the lock.</param>
    /// <param name="rows">Claims about it.</param>
    public static bool IsAmbiguous(WaitReason reason, IEnumerable<HolderRow> rows) => RowOf(reason, default).Out is >= 0 and var most && rows.Count(row => row.IsHolder) > most;

    // Fewer are out than are claimed: the best claims are right, as far as they fit.
    private static IEnumerable<HolderRow> Confirm(LockRow known, HolderRow[] rows, WaitKind kind, bool isDecided)
    {
        // Those who wait for a signal do not give it back, and who releases it without having taken it gives one.
        HolderRow[] holders = [.. rows.Where(row => row.IsHolder && (row.Class != HolderClass.Owed || known.Use != LockUse.Kept))];
        IEnumerable<HolderRow> kept = rows.Where(row => !row.IsHolder);
        // Of a channel, somebody may have read what nobody is to write back: only if all are with these is it one whose items are lent.
        // Without a bound, everybody who waits for one has to give it back, and others may still have some.
        if (kind == WaitKind.Channel && known.Out < 0)
            return isDecided && known is { Free: 0, Use: LockUse.GivenBack } ? holders.Select(row => row with { Class = HolderClass.Sometimes }) : [];
        if (kind == WaitKind.Channel && (known.Free > 0 || holders.Length != known.Out))
            return [];
        if (known.Out < 0)
            return [.. holders.Select(row => row with { IsCertain = row.Class == HolderClass.Always && known.Free == 0 }), .. kept];
        var right = new List<HolderRow>();
        foreach (IGrouping<HolderClass, HolderRow> alike in holders.GroupBy(row => row.Class).OrderBy(group => group.Key))
        {
            if (right.Count + alike.Count() > known.Out)
            {
                // Nothing else gives it back: one of these has it, as the first reader of a lock for readers and writers.
                if (right.Count < known.Out && known.Use == LockUse.GivenBack && kind == WaitKind.Semaphore && isDecided && alike.Key != HolderClass.Always)
                    right.AddRange(alike);
                break;
            }
            right.AddRange(alike.Select(row => row with { IsCertain = row.Class != HolderClass.Sometimes && kind != WaitKind.Channel }));
        }
        return [.. right, .. kept];
    }

    private static Dictionary<ulong, ImmutableArray<WaitFact>> FactsOf(HolderFacts holders, ImmutableArray<FramePlace> places)
    {
        var facts = new Dictionary<ulong, ImmutableArray<WaitFact>>();
        foreach (LockRow known in holders.Locks)
        {
            HolderRow[] rows = [.. holders.HoldersOf(known.Lock)];
            if (rows.Length == 0)
                continue;
            ImmutableArray<WaitFact>.Builder said = ImmutableArray.CreateBuilder<WaitFact>();
            said.Add(new(WaitFactKey.HeldByOperations, rows.Length) { IsBound = rows.Any(row => !row.IsCertain), Of = holders.IsAmbiguous(known.Lock) ? known.Out : null });
            said.AddRange(rows.GroupBy(row => PlaceFormatter.Of(places[row.Place].Frame)).OrderByDescending(group => group.Count()).ThenBy(group => group.Key, StringComparer.Ordinal)
                .Select(group => new WaitFact(WaitFactKey.HolderPlace, group.Count(), group.Key)));
            if (known.Out > rows.Length)
                said.Add(new(WaitFactKey.UnknownHolders, known.Out - rows.Length));
            facts[known.Lock] = said.ToImmutable();
        }
        return facts;
    }

    private static WaitReason Say(WaitReason reason, Dictionary<ulong, ImmutableArray<WaitFact>> facts, Dictionary<(ulong Lock, ImmutableArray<WaitFact> Shared), ImmutableArray<WaitFact>> joined)
    {
        WaitReason? behind = reason.Behind is { } inner ? Say(inner, facts, joined) : null;
        WaitReason same = ReferenceEquals(behind, reason.Behind) ? reason : reason with { Behind = behind };
        if (reason.Kind is not (WaitKind.Semaphore or WaitKind.Channel) || reason.Action == WaitAction.Completion || reason.Behind?.Resource == reason.Resource || !facts.TryGetValue(reason.Resource, out ImmutableArray<WaitFact> said))
            return same;
        if (!joined.TryGetValue((reason.Resource, reason.Shared), out ImmutableArray<WaitFact> shared))
            joined[(reason.Resource, reason.Shared)] = shared = [.. reason.Shared, .. said];
        return same with { Shared = shared };
    }
}
