using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Layouts;
using Async2.Analysis.Metadata.Names;
using Async2.Analysis.Targets;
using Async2.Analysis.Waits.Reading;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Waits.Blocking;

/// <summary>
/// Who holds the monitor of an object: a thread id in the object's header while nobody is in the way, else a sync block of the
/// runtime.
/// </summary>
internal sealed class MonitorReader(Target target)
{
    private const int BlockLimit = 1_000_000;

    private Dictionary<ulong, SyncBlock>? _blocks;
    private Dictionary<ulong, int>? _threads;

    /// <summary>A thread waits to enter; only an object that another thread holds can be what it waits for.</summary>
    public WaitFacts? Enter(HeapObject item, int thread)
    {
        int? owner = OwnerOf(item);
        return owner is { } holder && holder != thread
            ? new(WaitFamily.Lock, "Monitor.Enter", WaitText.Join(Name(item), FormattableString.Invariant($"held by thread {holder}")), null, item.Address) { Owner = holder, Holders = [holder] }
            : null;
    }

    /// <summary>A thread has let go and waits for a pulse.</summary>
    public WaitFacts? Wait(HeapObject item, int thread)
    {
        if (!Blocks().TryGetValue(item.Address, out SyncBlock? block) || block.WaitingThreadCount <= 0)
            return null;
        int? owner = OwnerOf(item);
        string? held = owner is { } holder && holder != thread ? FormattableString.Invariant($"held by thread {holder}") : null;
        // The DAC of 10.0.12 says 1000 where one waits, so how many is not said.
        return new(WaitFamily.Lock, "Monitor.Wait", WaitText.Join(Name(item), "waiting for a pulse", held), null, item.Address) { Owner = held is null ? null : owner };
    }

    private string Name(HeapObject item)
    {
        string type = TypeLookup.Of(target.Runtime, item.MethodTable())?.Name is { } name ? TypeName.FromRuntimeName(name) : "unknown type";
        return FormattableString.Invariant($"object 0x{item.Address:x} ({type})");
    }

    // Managed id of the thread; null when nobody holds it, or that cannot be known.
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
