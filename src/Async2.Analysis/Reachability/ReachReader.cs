using System.Globalization;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Model;
using Async2.Analysis.Targets;

namespace Async2.Analysis.Reachability;

/// <summary>What a search for waits that nothing can end has found.</summary>
/// <param name="Waits">Waits that nothing can end, with what is known of each.</param>
/// <param name="Fault">Why nothing is known; null if the search came to its end.</param>
internal sealed record ReachAnswer(IReadOnlyList<(WaitGate Wait, OrphanFact Fact)> Waits, string? Fault = null)
{
    /// <summary>Waits that nothing can end as long as nobody but their readers takes anything out of mailboxes; none if no mailbox was asked about.</summary>
    public IReadOnlyList<WaitGate> Shut { get; init; } = [];

    /// <summary>Of tasks that were asked for, those that no root reaches at all, nor one that completes with them.</summary>
    public IReadOnlySet<ulong> Lost { get; init; } = new HashSet<ulong>();
}

/// <summary>
/// Marks the target's heap from its roots with the waiting operations cut out: an operation is followed only once what it waits for was
/// reached by another way. What was not, nothing can bring about (decision 0030).
/// </summary>
/// <param name="target">The target.</param>
/// <param name="chains">Tells an ended task that runs chains of continuations from one that has not.</param>
/// <param name="operations">How many there are.</param>
/// <param name="isUnlimited">It may take as long as it takes; otherwise a heap that takes longer to mark than to read all stacks is left alone.</param>
internal sealed class ReachReader(Target target, Func<ChainTasks?> chains, int operations, bool isUnlimited)
{
    private const int MostThreads = 8;

    // Tasks that complete with each other, one after the other.
    private const int TaskHops = 8;

    // Above, it would take a good part of the time that all else takes.
    private const ulong MostBytes = 128UL << 20;

    // Memory that is in this process is searched in a second, if there are not many waits.
    private const ulong MostMapped = 512UL << 20;
    private const int FewOperations = 100_000;

    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(20);

    private readonly Lazy<ulong> _bytes = new(() => BytesOf(target));

    /// <summary>A heap of this size is searched only if somebody asks for it.</summary>
    public static bool IsBig(Target target) => BytesOf(target) > MostBytes;

    /// <summary>The heap will not be searched: it would take too long, and nobody asked for it.</summary>
    public bool IsTooBig => target.Origin.Copy?.Old is not null || (!isUnlimited && _bytes.Value > Most);

    private ulong Most => target.Memory.Image is null || target.Origin.IsHosted || operations > FewOperations ? MostBytes : MostMapped;

    private static ulong BytesOf(Target target) => target.Runtime.Heap.Segments.Aggregate(0UL, (sum, segment) => sum + segment.ObjectRange.Length);

    /// <param name="waits">The waits that are in question.</param>
    /// <param name="asked">Operations of which it is in question whether anything reaches them.</param>
    /// <param name="cancellation">When set, nothing is known.</param>
    public ReachAnswer Read(IReadOnlyList<WaitGate> waits, IReadOnlyList<ulong> asked, CancellationToken cancellation)
    {
        if (target.Origin.Copy?.Old is { } old)
            return new([], FormattableString.Invariant($"of the heap of {_bytes.Value >> 20} MB only what async code needs was copied ({old.Copied >> 20} MB and what is young): --deep copies and searches all of it"));
        if (IsTooBig)
            return new([], FormattableString.Invariant($"the heap has {_bytes.Value >> 20} MB, and the search is left out above {Most >> 20} MB unless it is asked for (--deep)"));
        using MarkHeap? heap = MarkHeap.Open(target, out string? fault);
        if (heap is null || heap.Segments.Count == 0)
            return new([], fault ?? "there is no heap");
        var kinds = new GateTypes(target);
        WaitGate[] understood = [.. waits.Where(kinds.IsUnderstood)];
        HeapRoots roots = HeapRoots.Read(target, heap, understood.SelectMany(wait => wait.Threads));
        // Nothing is claimed then; only who asked for the search wants to know why.
        if (roots.Fault is { } missing)
            return new([], isUnlimited ? missing : null);
        var shapes = new ObjectShapes(target) { Chains = chains() };
        // A string can be the key of a ConditionalWeakTable.
        shapes.IsExact = roots.Dependents.Any(pair => MethodTables.TryRead(target.Memory, pair.Primary, out ulong type) && shapes.Of(type) is { Leads: false, ComponentSize: not 0 });
        var gates = new GateKeeper(shapes, heap);
        foreach (WaitGate wait in understood)
        {
            gates.Add(wait);
            if (wait.Threads.Count > 0)
                gates.Hold(wait, wait.Threads.SelectMany(thread => roots.Held[thread]));
        }
        foreach ((ulong primary, ulong secondary) in roots.Dependents)
            gates.AddDependent(primary, secondary);
        gates.Watch();
        var marker = new HeapMarker(heap, shapes, gates, Threads(), isUnlimited ? null : Limit, cancellation);
        ReachAnswer found = Mark(marker, kinds, gates, roots, asked);
        return marker.Damage is { } damage ? new([], FormattableString.Invariant($"the heap is damaged at 0x{damage:x}"))
            : marker.IsStopped ? new([], cancellation.IsCancellationRequested ? "it was interrupted" : string.Create(CultureInfo.InvariantCulture, $"it took longer than {Limit.TotalSeconds:0} s of processor time"))
            : found with { Waits = StillWaiting.Of(target, found.Waits) };
    }

    // Only memory that lies in this process may be read by several threads, and a debugger asked by one only.
    private int Threads() => target.Memory.Image is null || target.Origin.IsHosted ? 1 : Math.Clamp(Environment.ProcessorCount, 1, MostThreads);

    private static ReachAnswer Mark(HeapMarker marker, GateTypes kinds, GateKeeper gates, HeapRoots roots, IReadOnlyList<ulong> operations)
    {
        MarkHeap heap = marker.Heap;
        // What is open or reached stays so. In a program that is well that is all, and what its waiters refer to, most of what is async, changes nothing.
        if (marker.Run(roots.Roots, [], () => gates.AreAllOpen && heap.AreReached(operations)) || marker.IsStopped)
            return new([]);
        WaitGate[] doubtful = [.. gates.Shut.Where(wait => wait.IsDoubtful)];
        if (doubtful.Length > 0)
        {
            gates.OpenDoubtful();
            marker.Run([], []);
        }
        // As long as nobody else reads their mailboxes, nothing ends these.
        WaitGate[] shut = gates.HasKept ? [.. gates.Shut] : [];
        if (gates.HasKept)
            marker.Run([], gates.Free());
        // What is alive although nothing can make it go on, and what is not even that: its finalizer will run, and may do anything.
        (List<ulong> forced, List<ulong> stacks) = gates.Force();
        byte[][]? before = forced.Count > 0 || stacks.Count > 0 ? heap.Copy() : null;
        if (before is not null)
            marker.Run(stacks, forced);
        ulong[] finalized = [.. roots.Finalizable.Where(item => !heap.IsReached(item))];
        var lost = operations.Where(operation => !IsKnown(operation, heap, kinds)).ToHashSet();
        HashSet<ulong> known = [.. gates.Closed.Select(closed => closed.Wait).Where(wait => IsKnown(wait, heap, kinds)).Select(wait => wait.Awaited)];
        gates.Unforce();
        if (before is not null)
            heap.Restore(before);
        if (finalized.Length > 0 && !marker.IsStopped)
            marker.Run(finalized, []);
        lost.RemoveWhere(heap.IsReached);
        return new([.. gates.Closed.Select(closed => (closed.Wait, FactOf(closed.Wait, known.Contains(closed.Wait.Awaited), closed.WasFed, closed.Missing))), .. doubtful.Select(wait => (wait, OrphanFact.OnlyBlocked))]) { Lost = lost, Shut = shut };
    }

    // A task, or one that completes with it.
    private static bool IsKnown(ulong task, MarkHeap heap, GateTypes kinds)
    {
        bool isKnown = false;
        for (int hop = 0; !isKnown && task != 0 && hop < TaskHops; hop++, task = kinds.TaskBehind(task))
            isKnown = heap.IsReached(task);
        return isKnown;
    }

    private static bool IsKnown(WaitGate wait, MarkHeap heap, GateTypes kinds)
    {
        bool isKnown = wait.Threads.Count > 0 || heap.IsReached(wait.Awaited);
        foreach (ulong waiter in wait.Waiters)
            isKnown = isKnown || IsKnown(waiter, heap, kinds);
        return isKnown;
    }

    private static OrphanFact FactOf(WaitGate wait, bool isKnown, bool wasFed, int missing)
        => wait.Kind == GateKind.Combinator ? (missing > 0 ? OrphanFact.SourcesCollected : OrphanFact.OnlyWaiters)
            : !isKnown ? OrphanFact.Unreachable
            : (wait.Kind == GateKind.Promise ? !wasFed : wait.Entries.Contains(wait.Awaited)) ? OrphanFact.SourceGone
            : OrphanFact.OnlyWaiters;
}
