using System.Collections.Immutable;

namespace Async2.Analysis.Model;

/// <summary>
/// Why something does not go on, as data: what is waited for, what the objects behind it say of themselves, and who holds it. It names
/// what the target names (types, methods, end points) and numbers what the target counts; sentences are made of it in one place, by
/// those who show it. Immutable; it holds nothing of the target open. Two reasons are equal when they say the same of the same resource.
/// </summary>
/// <param name="Kind">Kind of the thing waited for.</param>
/// <param name="Subject">What it is, by a name of the target that a user knows it by: <c>SemaphoreSlim</c>, <c>Task.Delay</c>,
/// <c>Channel&lt;int&gt;</c>; null where the object does not tell it better than the call that awaits it.</param>
/// <param name="Action">What is awaited of it.</param>
public sealed record WaitReason(WaitKind Kind, string? Subject = null, WaitAction Action = WaitAction.None)
{
    /// <summary>Address of what is waited for by all who wait for the same: the semaphore, channel, socket or lock, not the waiter's place in
    /// its queue; 0 when there is none or it is not known.</summary>
    public ulong Resource { get; init; }

    /// <summary>
    /// The resource by which stacks that otherwise look alike are told apart: semaphores, locks and pools, and channels and events for which
    /// several wait. 0 for what each waiter has for itself, such as a socket or a timer: thousands of those are one group.
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

    /// <summary>What is true for all who wait for the resource, in the order in which it is to be said. One array for all of them.</summary>
    public ImmutableArray<WaitFact> Shared { get; init; } = [];

    /// <summary>What is true of this waiter only.</summary>
    public ImmutableArray<WaitFact> Own { get; init; } = [];

    /// <summary>What an outer object waits for: the semaphore behind a WaitAsync with a timeout; null when there is nothing behind it.</summary>
    public WaitReason? Behind { get; init; }

    /// <summary>Managed id of the thread that holds the resource, or has to end first; null when there is none or it is not known.</summary>
    public int? Owner { get; init; }

    /// <summary>Managed ids of the threads that all have to let go before this one can go on; empty where that is not what is waited for.</summary>
    public ImmutableArray<int> Holders { get; init; } = [];

    /// <summary>What was awaited has happened: it says where the stack will go on, and not what it waits for.</summary>
    public bool IsDone => Action >= WaitAction.RunsUnseen;

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
