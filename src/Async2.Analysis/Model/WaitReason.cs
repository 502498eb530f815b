using System.Collections.Immutable;

namespace Async2.Analysis.Model;

/// <summary>
/// Why something does not continue, as data: what is waited for, the state of the objects involved, and who holds it. It contains
/// names (types, methods, end points) and numbers of the target; Words makes sentences of it for
/// every output. Immutable, without a reference to the target. Two reasons are equal if they say the same about the same resource.
/// </summary>
/// <param name="Kind">Kind of the thing waited for.</param>
/// <param name="Subject">The name by which users know it: <c>SemaphoreSlim</c>, <c>Task.Delay</c>,
/// <c>Channel&lt;int&gt;</c>; null if the awaiting call is more informative.</param>
/// <param name="Action">What is awaited of it.</param>
public sealed record WaitReason(WaitKind Kind, string? Subject = null, WaitAction Action = WaitAction.None)
{
    /// <summary>Address of the shared object: the semaphore, channel, socket or lock, not the waiter's entry in
    /// its queue; 0 if there is none or it is unknown.</summary>
    public ulong Resource { get; init; }

    /// <summary>
    /// The resource that distinguishes stacks that are otherwise equal: semaphores, locks and pools, and channels and events with
    /// several waiters. 0 for objects that each waiter has for itself, such as a socket or a timer: thousands of those are one group.
    /// </summary>
    public ulong SharedResource
    {
        get
        {
            for (WaitReason? reason = this; reason is not null; reason = reason.Behind)
            {
                if (reason.Kind is WaitKind.Semaphore or WaitKind.Lock or WaitKind.Pool || (reason.Kind is WaitKind.Channel or WaitKind.Event && reason.HasSeveralWaiters))
                    return reason.Resource;
            }
            return 0;
        }
    }

    /// <summary>Facts that apply to all waiters of the resource, in display order. One array for all of them.</summary>
    public ImmutableArray<WaitFact> Shared { get; init; } = [];

    /// <summary>Facts about this waiter only.</summary>
    public ImmutableArray<WaitFact> Own { get; init; } = [];

    /// <summary>What an outer object waits for: the semaphore of a WaitAsync with a timeout; null if there is none.</summary>
    public WaitReason? Behind { get; init; }

    /// <summary>Managed id of the thread that holds the resource, or has to end first; null if there is none or it is unknown.</summary>
    public int? Owner { get; init; }

    /// <summary>Managed ids of the threads that all have to release something before this one can continue; empty for other waits.</summary>
    public ImmutableArray<int> Holders { get; init; } = [];

    /// <summary>What was awaited has happened: this says where the stack will continue, not what it waits for.</summary>
    public bool IsDone => Action >= WaitAction.RunsUnseen;

    /// <summary>A timer, a timeout or a token that cancels itself ends it at the latest.</summary>
    internal bool EndsByItself
        => Kind == WaitKind.Timer || Own.Concat(Shared).Any(fact => fact.Key is WaitFactKey.Timeout or WaitFactKey.DueIn or WaitFactKey.TokenDueIn or WaitFactKey.Length or WaitFactKey.Period)
            || Behind is { EndsByItself: true };

    /// <summary>A fact that all waiters share has a number.</summary>
    internal bool Says(WaitFactKey key, long number) => Shared.Any(fact => fact.Key == key && fact.Number == number);

    private bool HasSeveralWaiters
    {
        get
        {
            foreach (WaitFact fact in Shared)
            {
                if (fact.Key is WaitFactKey.Waiting or WaitFactKey.ReadersWaiting or WaitFactKey.WritersWaiting && fact.Number > 1)
                    return true;
            }
            return false;
        }
    }

    /// <inheritdoc/>
    public bool Equals(WaitReason? other)
        => ReferenceEquals(this, other) || (other is not null && Kind == other.Kind && Subject == other.Subject && Action == other.Action && Resource == other.Resource
            && Owner == other.Owner && AreSame(Shared, other.Shared) && AreSame(Own, other.Own) && Holders.AsSpan().SequenceEqual(other.Holders.AsSpan())
            && Equals(Behind, other.Behind));

    /// <inheritdoc/>
    public override int GetHashCode() => HashCode.Combine(Kind, Subject, Action, Resource, Owner, Shared.Length, Own.Length);

    // Waiters of one resource have one array.
    private static bool AreSame(ImmutableArray<WaitFact> one, ImmutableArray<WaitFact> other) => one == other || one.AsSpan().SequenceEqual(other.AsSpan());
}
