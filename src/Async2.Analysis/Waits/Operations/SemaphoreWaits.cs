using System.Collections.Immutable;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Model;
using Async2.Analysis.Waits.Reading;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Waits.Operations;

/// <summary>SemaphoreSlim.WaitAsync. A waiter does not know its semaphore: it is the one whose queue begins where the waiter's does.</summary>
internal sealed class SemaphoreWaits(WaitReaderContext all) : IWaitFamily<SemaphoreWaits>
{
    public static IReadOnlyList<KnownWait> Names { get; } =
    [
        new("System.Threading.SemaphoreSlim", WaitKind.Semaphore, "SemaphoreSlim"),
    ];

    private readonly LayoutCache<SemaphoreLayout> _layouts = all.Layouts(SemaphoreLayout.Of);
    private readonly WaiterQueues _queues = new(isRing: false);
    private readonly Dictionary<WaiterQueue, ImmutableArray<WaitFact>> _states = new(ReferenceEqualityComparer.Instance);
    private readonly WaitFactList _facts = new();
    private Dictionary<ulong, ulong>? _byHead;

    public static bool IsResource(ClrType type, int pointerSize) => SemaphoreLayout.Of(type, pointerSize) is not null;

    public static SemaphoreWaits Open(WaitReaderContext all) => new(all);

    public WaitStepReader? ReaderOf(ClrType type)
        => QueueNodeLayout.OfTaskNode(type, all.PointerSize) is { } node ? address => new(Read(all.At(address), node)) : null;

    /// <summary>What is free, and how many wait.</summary>
    /// <param name="semaphore">The SemaphoreSlim.</param>
    /// <param name="layout">Its fields.</param>
    /// <param name="queue">Its asynchronous waiters.</param>
    public static ImmutableArray<WaitFact> StateOf(HeapObject semaphore, SemaphoreLayout layout, WaiterQueue queue)
    {
        if (semaphore.Int32(layout.Free) is not { } free || semaphore.Int32(layout.Maximum) is not { } maximum)
            return [queue.Waiting()];
        int threads = Math.Max(0, semaphore.Int32(layout.BlockedThreads) ?? 0);
        return [new(WaitFactKey.Free, free) { Of = maximum == SemaphoreLayout.NoMaximum ? null : maximum }, queue.Waiting(threads)];
    }

    private WaitReason Read(HeapObject waiter, QueueNodeLayout node)
    {
        Dictionary<ulong, ulong> byHead = _byHead ??= ByHead();
        WaiterQueue queue = _queues.Of(waiter, node, byHead.ContainsKey);
        HeapObject semaphore = all.At(byHead.GetValueOrDefault(queue.Head));
        if (!_states.TryGetValue(queue, out ImmutableArray<WaitFact> state))
            _states[queue] = state = _layouts.Of(semaphore) is { } layout ? StateOf(semaphore, layout, queue) : [queue.Waiting()];
        _facts.AddPlace(queue.PlaceOf(waiter.Address));
        return new(WaitKind.Semaphore, "SemaphoreSlim") { Resource = semaphore.Address, Shared = state, Own = _facts.Take() };
    }

    private Dictionary<ulong, ulong> ByHead()
    {
        var found = new Dictionary<ulong, ulong>();
        foreach (ulong address in all.Resources.Addresses)
        {
            HeapObject item = all.At(address);
            if (_layouts.Of(item) is { } layout && item.Reference(layout.Head) is not 0 and var head)
                found.TryAdd(head, address);
        }
        return found;
    }
}

/// <summary><c>System.Threading.SemaphoreSlim</c> (System.Private.CoreLib 10.0.12).</summary>
/// <param name="Free">int, what can be taken at once.</param>
/// <param name="Maximum">int; int.MaxValue when none was given.</param>
/// <param name="BlockedThreads">int, threads in Wait.</param>
/// <param name="Head">First of the asynchronous waiters.</param>
internal sealed record SemaphoreLayout(int Free, int Maximum, int BlockedThreads, int Head)
{
    /// <summary>SemaphoreSlim.NO_MAXIMUM.</summary>
    public const int NoMaximum = int.MaxValue;

    private const string TypeName = "System.Threading.SemaphoreSlim";

    public static SemaphoreLayout? Of(ClrType type, int pointerSize)
        => type.Name == TypeName
            && FieldOffsets.Find(type, pointerSize, "m_currentCount", "m_maxCount", "m_waitCount", "m_asyncHead") is { } fields
            ? new(fields["m_currentCount"], fields["m_maxCount"], fields["m_waitCount"], fields["m_asyncHead"])
            : null;
}
