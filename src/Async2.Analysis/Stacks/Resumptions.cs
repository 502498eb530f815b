using System.Collections.Immutable;
using Async2.Analysis.Awaiters;
using Async2.Analysis.Graph;
using Async2.Analysis.Model;
using Async2.Analysis.Threads;
using Async2.Analysis.Waits.Resuming;

namespace Async2.Analysis.Stacks;

/// <summary>Tells what holds a stack up whose awaited task has completed, and what is not claimed where a thread could not be seen.</summary>
/// <param name="input">What threads do, and which were not seen.</param>
/// <param name="source">Answers for the target.</param>
/// <param name="read">What a thread does.</param>
internal sealed class Resumptions(StackInput input, IStackSource source, Func<ThreadSegment, LeafState> read)
{
    private static readonly LeafWait MayRunUnseen = new(new(WaitKind.None, null, WaitAction.MayRunUnseen));
    private static readonly LeafWait DoneMayRunUnseen = new(new(WaitKind.None, null, WaitAction.DoneMayRunUnseen));

    private readonly Dictionary<Resumption, LeafWait> _waits = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<int, int> _innermost = ThreadWaits.Innermost(input.Segments);

    private bool HasUnseenThreads => input.ThreadsWithoutRegisters.Count > 0;

    /// <summary>What is known of a method that executes on no thread that was seen; null where all were.</summary>
    public LeafWait? Running { get; } = input.ThreadsWithoutRegisters.Count == 0 ? null : new(new(WaitKind.None, null, WaitAction.RunsUnseen));

    /// <summary>Where it goes on; null when what it awaits is pending, or nobody knows.</summary>
    public Resumption? Find(ulong operation, AwaitedObject? awaited)
        => awaited is { IsTask: true, IsCompleted: false } ? null : source.ResumptionOf(operation, awaited is { IsCompleted: true });

    /// <summary>State of an operation that can go on; null if it awaits something, or nothing more than that is known.</summary>
    public LeafState? Of(ulong operation, AwaitedObject? awaited)
    {
        Resumption? next = Find(operation, awaited);
        // The operation may run on a thread whose registers are missing (a running chain has cleared its awaited object), but not while it is in the pool's queue.
        if (HasUnseenThreads && (awaited is null or { IsCompleted: true }) && next is not { IsPool: true })
            return new(StackState.Awaiting, awaited is null ? MayRunUnseen : DoneMayRunUnseen);
        if (next is null)
            return null;
        if (!_waits.TryGetValue(next, out LeafWait? wait))
            _waits[next] = wait = new(ReasonOf(next));
        return new(StackState.Scheduled, wait);
    }

    private WaitReason ReasonOf(Resumption next)
    {
        if (next.IsPool && !next.IsThread)
            return new(WaitKind.Pool, null, WaitAction.QueuedToPool) { Shared = next.Late };
        ImmutableArray<WaitFact> threads = [.. next.Threads.Select(thread => new WaitFact(WaitFactKey.Serving, thread, BlockedIn(thread)))];
        return next.IsThread
            ? new(WaitKind.Thread, null, WaitAction.ResumedBy) { Owner = next.Threads[0], Shared = threads }
            : new(WaitKind.Thread, next.Name, WaitAction.ResumedOn) { Resource = next.Place, Shared = threads };
    }

    private string? BlockedIn(int thread)
        => _innermost.TryGetValue(thread, out int segment) && input.Segments[segment] is { IsBlocked: true } blocked ? read(blocked).WaitingOn?.Text ?? "unknown code" : null;
}
