using System.Collections.Immutable;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Layouts.Waits;
using Async2.Analysis.Waits.Reading;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Waits.Blocking;

/// <summary>Which threads have a ReaderWriterLockSlim for reading: each thread counts its own, in a list that only it refers to.</summary>
internal sealed class LockReaders(WaitReaderContext all)
{
    // A thread has one entry for each lock that it has read under.
    private const int ListLimit = 10_000;

    private readonly LayoutCache<ReaderListLayout> _locks = all.Layouts(ReaderListLayout.Of);
    private readonly LayoutCache<ReaderCountLayout> _counts = all.Layouts(ReaderCountLayout.Of);

    /// <summary>Managed ids of the threads that read under a lock, ascending.</summary>
    /// <param name="item">The lock.</param>
    /// <param name="thread">Who asks: it does not wait for itself.</param>
    public ImmutableArray<int> Of(HeapObject item, int thread)
    {
        if (_locks.Of(item) is not { } layout || item.Int64(layout.LockId) is not { } id)
            return [];
        return [.. all.Target.Runtime.Threads.Where(t => t.IsAlive && t.ManagedThreadId != thread && Reads(t, layout, id)).Select(t => t.ManagedThreadId).Order()];
    }

    private bool Reads(ClrThread thread, ReaderListLayout layout, long id)
    {
        ulong slot = layout.Counts.GetAddress(thread);
        var entry = new HeapObject(all.Target.Memory, slot != 0 && all.Target.Memory.TryReadPointer(slot, out ulong first) ? first : 0);
        for (int i = 0; i < ListLimit && entry.Address != 0; i++)
        {
            if (_counts.Of(entry) is not { } count)
                return false;
            if (entry.Int64(count.LockId) == id)
                return entry.Int32(count.Readers) > 0;
            entry = entry.At(count.Next);
        }
        return false;
    }
}
