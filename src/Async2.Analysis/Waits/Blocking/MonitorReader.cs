using System.Collections.Immutable;
using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Metadata.Names;
using Async2.Analysis.Model;
using Async2.Analysis.Targets;
using Async2.Analysis.Waits.Reading;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Waits.Blocking;

/// <summary>
/// The thread that holds the monitor of an object: the object's header has its id if there is no contention, otherwise a sync block
/// of the runtime has it.
/// </summary>
internal sealed class MonitorReader(Target target) : IWaitFamily<MonitorReader>
{
    private const int BlockLimit = 1_000_000;

    private Dictionary<ulong, SyncBlock>? _blocks;
    private Dictionary<ulong, int>? _threads;
    private HashSet<int>? _ended;

    public static MonitorReader Open(WaitReaderContext all) => new(all.Target);

    /// <inheritdoc/>
    public BlockingReader? ReaderOf(BlockingKind kind) => kind switch
    {
        BlockingKind.MonitorEnter => Enter,
        BlockingKind.MonitorWait => Wait,
        _ => null,
    };

    /// <summary>A thread waits to enter; only an object that another thread holds can be what it waits for.</summary>
    public WaitReason? Enter(HeapObject item, int thread)
    {
        if (EndedOwnerOf(item) is { } ended)
            return new(WaitKind.Lock, "Monitor.Enter") { Resource = item.Address, Shared = [Locked(item), new(WaitFactKey.HeldByEndedThread, ended)] };
        int? owner = OwnerOf(item);
        return owner is { } holder && holder != thread
            ? new(WaitKind.Lock, "Monitor.Enter") { Resource = item.Address, Shared = [Locked(item), new(WaitFactKey.HeldByThread, holder)], Owner = holder, Holders = [holder] }
            : null;
    }

    /// <summary>A thread has let go and waits for a pulse.</summary>
    public WaitReason? Wait(HeapObject item, int thread)
    {
        if (!Blocks().TryGetValue(item.Address, out SyncBlock? block) || block.WaitingThreadCount <= 0)
            return null;
        int? owner = OwnerOf(item) is { } holder && holder != thread ? holder : null;
        // The DAC of 10.0.12 returns 1000 for one waiter, so the number is not shown.
        ImmutableArray<WaitFact> facts = [Locked(item), new(WaitFactKey.WaitingForPulse)];
        return new(WaitKind.Lock, "Monitor.Wait") { Resource = item.Address, Shared = owner is { } held ? facts.Add(new(WaitFactKey.HeldByThread, held)) : facts, Owner = owner };
    }

    private WaitFact Locked(HeapObject item)
        => new(WaitFactKey.LockedObject, (long)item.Address, TypeLookup.Of(target.Runtime, item.MethodTable())?.Name is { } name ? TypeName.FromRuntimeName(name) : null);

    // Managed id of a thread that took the monitor and has ended, 0 if the runtime has forgotten it; null for none. Somebody waits, so there is a sync block.
    private int? EndedOwnerOf(HeapObject item)
        => Blocks().TryGetValue(item.Address, out SyncBlock? block) && block is { IsMonitorHeld: true, RecursionCount: > 0 }
            // The runtime notes the id, which no thread has any more once the thread's object was collected.
            ? !Threads().TryGetValue(block.HoldingThreadAddress, out int owner) ? 0 : Ended().Contains(owner) ? owner : null
            : null;

    private HashSet<int> Ended() => _ended ??= [.. target.Runtime.Threads.GroupBy(thread => thread.ManagedThreadId).Where(same => !same.Any(thread => thread.IsAlive)).Select(same => same.Key)];

    // Managed id of the thread; null if the monitor is free, or if that is unknown.
    private int? OwnerOf(HeapObject item)
    {
        if (Blocks().TryGetValue(item.Address, out SyncBlock? block))
            return block.IsMonitorHeld && Threads().TryGetValue(block.HoldingThreadAddress, out int holder) ? holder : null;
        return TypeLookup.Of(target.Runtime, item.MethodTable()) is { } type
            ? target.Runtime.Heap.GetObject(item.Address, type).GetThinLock()?.Thread?.ManagedThreadId
            : null;
    }

    private Dictionary<ulong, SyncBlock> Blocks()
    {
        if (_blocks is null)
        {
            _blocks = [];
            foreach (SyncBlock block in target.Runtime.Heap.EnumerateSyncBlocks().Take(BlockLimit))
                _blocks.TryAdd(block.Object, block);
        }
        return _blocks;
    }

    private Dictionary<ulong, int> Threads()
    {
        if (_threads is null)
        {
            _threads = [];
            foreach (ClrThread thread in target.Runtime.Threads)
                _threads.TryAdd(thread.Address, thread.ManagedThreadId);
        }
        return _threads;
    }
}
