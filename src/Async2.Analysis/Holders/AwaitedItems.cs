using Async2.Analysis.Model;

namespace Async2.Analysis.Holders;

/// <summary>Promises and sources for which methods of the user wait, and semaphores whose waiters do not give back what they get: it is to be asked who completes them.</summary>
/// <param name="columns">All that is known.</param>
/// <param name="ends">What an awaited object stands for, by its address: the task behind a WaitAsync.</param>
/// <param name="isPlainPromise">It is the task of a TaskCompletionSource.</param>
/// <param name="typeOf">Name of the type of an object.</param>
internal sealed class AwaitedItems(ModelColumns columns, IReadOnlyDictionary<ulong, ulong> ends, Func<ulong, bool> isPlainPromise, Func<ulong, string?> typeOf)
{
    /// <summary>Adds them.</summary>
    /// <param name="awaited">Where to, by address.</param>
    /// <param name="events">What is set when a callback of a timer has returned.</param>
    /// <param name="limit">How many at most.</param>
    public void AddTo(Dictionary<ulong, AwaitedItem> awaited, IReadOnlySet<ulong> events, int limit)
    {
        // That nobody else can is known of some: it remains in question whether who waits for them would.
        HashSet<ulong> orphans = columns.Facts.AwaitedByOrphans(isSure: true), known = [.. columns.Facts.Replies.Select(row => row.Promise), .. columns.Facts.AwaitedByOrphans().Except(orphans)];
        // Who ends these is not inferred.
        known.ExceptWith(events);
        foreach (LockRow row in columns.Facts.Holders.Locks.Where(row => row is { Free: 0, Use: LockUse.Kept, IsMoving: false } && !columns.Facts.Holders.HoldersOf(row.Lock).Any()))
            awaited.TryAdd(row.Lock, new(null, isPromise: false));
        for (int stack = 0; stack < columns.Stacks.Rows.Count && awaited.Count < limit; stack++)
        {
            StackRow row = columns.Stacks.Rows[stack];
            if (row.WaitAddress == 0 || row.State is not (StackState.Awaiting or StackState.Blocked))
                continue;
            ulong item = ends.GetValueOrDefault(row.WaitAddress, row.WaitAddress);
            if (known.Contains(row.WaitAddress) || known.Contains(item) || awaited.ContainsKey(item) || columns.Stacks.IdleOf(stack) is not null)
                continue;
            WaitReason? reason = columns.Reasons.GetValueOrDefault(row.WaitAddress);
            if (reason is { EndsByItself: true })
                continue;
            if (Of(item, row, reason, orphans.Contains(row.WaitAddress), events) is var (resource, found))
                awaited.TryAdd(resource, found);
        }
    }

    private (ulong Item, AwaitedItem Found)? Of(ulong item, in StackRow row, WaitReason? reason, bool isOrphan, IReadOnlySet<ulong> events)
    {
        if (item != row.WaitAddress)
            return isPlainPromise(item) ? (item, new(typeOf(item), isPromise: true) { IsOrphan = isOrphan }) : null;
        if (reason is { Behind: not null })
            return null;
        if (row.State == StackState.Blocked && events.Contains(item))
            return (item, new(null, isPromise: false) { IsEvent = true });
        if (reason is null or { Kind: WaitKind.None or WaitKind.Task, Resource: 0 } && isPlainPromise(item))
            return (item, new(typeOf(item), isPromise: true) { IsOrphan = isOrphan });
        if (reason is not null && AwaitedItem.EmptyQueue(reason) is { } queue)
            return (reason.Resource, new(null, isPromise: false) { Queue = queue, IsOrphan = isOrphan });
        return !isOrphan && reason is { Kind: WaitKind.Custom } && reason.Resource == item ? (item, new(null, isPromise: false)) : null;
    }
}
