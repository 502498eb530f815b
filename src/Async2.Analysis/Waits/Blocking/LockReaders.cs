using System.Collections.Immutable;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Waits.Reading;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Waits.Blocking;

/// <summary>Which threads have a ReaderWriterLockSlim for reading: each thread counts its own, in a list that only it refers to.</summary>
internal sealed class LockReaders(WaitReaderContext all)
{
    // A thread has one entry for each lock for which it ever was a reader.
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

    /// <summary>How many live threads read under a lock; null if the list of one of them cannot be read.</summary>
    public int? Count(HeapObject item)
    {
        if (_locks.Of(item) is not { } layout || item.Int64(layout.LockId) is not { } id)
            return null;
        bool?[] reads = [.. all.Target.Runtime.Threads.Where(t => t.IsAlive).Select(t => ReadsOrNull(t, layout, id))];
        return Array.Exists(reads, one => one is null) ? null : reads.Count(one => one == true);
    }

    private bool Reads(ClrThread thread, ReaderListLayout layout, long id) => ReadsOrNull(thread, layout, id) == true;

    private bool? ReadsOrNull(ClrThread thread, ReaderListLayout layout, long id)
    {
        ulong slot = layout.Counts.GetAddress(thread);
        // A thread without thread statics has no slot.
        if (slot == 0)
            return false;
        if (!all.Target.Memory.TryReadPointer(slot, out ulong first))
            return null;
        var entry = new HeapObject(all.Target.Memory, first);
        for (int i = 0; i < ListLimit && entry.Address != 0; i++)
        {
            if (_counts.Of(entry) is not { } count)
                return null;
            if (entry.Int64(count.LockId) == id)
                return entry.Int32(count.Readers) is { } readers ? readers > 0 : null;
            entry = entry.At(count.Next);
        }
        return false;
    }
}

/// <summary>Where the readers of a <c>ReaderWriterLockSlim</c> are counted.</summary>
/// <param name="LockId">long, of the lock.</param>
/// <param name="Counts">Thread static <c>t_rwc</c>: the first ReaderWriterCount of the thread.</param>
internal sealed record ReaderListLayout(int LockId, ClrThreadStaticField Counts)
{
    public static ReaderListLayout? Of(ClrType type, int pointerSize)
        => type.Name == "System.Threading.ReaderWriterLockSlim" && FieldPath.Find(type, pointerSize, "_lockID") is { } id
            && type.ThreadStaticFields.FirstOrDefault(field => field.Name == "t_rwc") is { } counts
            ? new(id, counts)
            : null;
}

/// <summary><c>System.Threading.ReaderWriterCount</c>: one thread, one lock.</summary>
/// <param name="LockId">long.</param>
/// <param name="Readers">int, how often the thread has entered for reading.</param>
/// <param name="Next">The thread's next one.</param>
internal sealed record ReaderCountLayout(int LockId, int Readers, int Next)
{
    public static ReaderCountLayout? Of(ClrType type, int pointerSize)
        => type.Name == "System.Threading.ReaderWriterCount" && FieldOffsets.Find(type, pointerSize, "lockID", "readercount", "next") is { } fields
            ? new(fields["lockID"], fields["readercount"], fields["next"])
            : null;
}
