using System.Collections.Immutable;
using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Model;
using Async2.Analysis.Waits.Reading;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Waits.Blocking;

/// <summary>Locks that know their owner: Lock, ReaderWriterLockSlim; and threads that another one joins, or that run finalizers for it.</summary>
internal sealed class LockReader(WaitReaderContext all) : IWaitFamily<LockReader>
{
    private readonly LayoutCache<LockLayout> _locks = all.Layouts(LockLayout.Of);
    private readonly LayoutCache<ReaderWriterLayout> _readerWriters = all.Layouts(ReaderWriterLayout.Of);
    private readonly LayoutCache<ThreadLayout> _threads = all.Layouts(ThreadLayout.Of);
    private readonly LockReaders _readers = new(all);
    private Dictionary<uint, int>? _byOSThread;
    private HashSet<int>? _alive;

    public static LockReader Open(WaitReaderContext all) => new(all);

    /// <inheritdoc/>
    public BlockingReader? ReaderOf(BlockingKind kind) => kind switch
    {
        BlockingKind.Lock => Lock,
        BlockingKind.ReaderWriterLock => ReaderWriter,
        BlockingKind.ThreadJoin => Joined,
        _ => null,
    };

    public WaitReason? Lock(HeapObject item, int thread)
    {
        if (_locks.Of(item) is not { } layout || item.UInt32(layout.Owner) is not { } owner || item.UInt32(layout.State) is not { } state)
            return null;
        int? known = owner != 0 && ByOSThread().TryGetValue(owner, out int id) ? id : null;
        // One that has just got it is still in the method.
        int? holder = known == thread ? null : known;
        WaitFact waiting = new(WaitFactKey.Waiting, LockLayout.Waiters(state));
        return new(WaitKind.Lock, "Lock")
        {
            Resource = item.Address,
            Shared = owner == 0 || known == thread ? [waiting] : [holder is { } held ? new(WaitFactKey.HeldByThread, held) : new(WaitFactKey.HeldByOSThread, owner), waiting],
            Owner = holder,
            Holders = holder is { } one ? [one] : [],
        };
    }

    public WaitReason? ReaderWriter(HeapObject item, int thread)
    {
        if (_readerWriters.Of(item) is not { } layout || item.Int32(layout.Writer) is not { } writer || item.Int32(layout.Upgrader) is not { } upgrader
            || item.UInt32(layout.Owners) is not { } owners || item.UInt32(layout.WriteWaiters) is not { } writers || item.UInt32(layout.ReadWaiters) is not { } readers)
            return null;
        int? holder = writer > 0 && writer != thread ? writer : upgrader > 0 && upgrader != thread ? upgrader : null;
        ImmutableArray<int> reading = writer > 0 ? [] : _readers.Of(item, thread);
        uint inside = ReaderWriterLayout.Readers(owners);
        WaitFact held = writer > 0 ? new(WaitFactKey.HeldForWriting, writer)
            : upgrader > 0 ? new(WaitFactKey.HeldForUpgrade, upgrader) { Of = inside }
            : new(WaitFactKey.HeldByReaders, inside);
        return new(WaitKind.Lock, "ReaderWriterLockSlim")
        {
            Resource = item.Address,
            Shared = [held, .. reading.Select(id => new WaitFact(WaitFactKey.ReaderThread, id)), .. Ended(item, layout, writer, upgrader, inside), new(WaitFactKey.WritersAndReadersWaiting, writers) { Of = readers }],
            Owner = holder ?? (reading is [var only] ? only : null),
            Holders = holder is { } one ? [one] : reading,
        };
    }

    // A reader that has ended is counted by the lock, and by no thread.
    private IEnumerable<WaitFact> Ended(HeapObject item, ReaderWriterLayout layout, int writer, int upgrader, uint inside)
    {
        int[] ended = [.. new[] { writer, upgrader }.Where(id => id > 0 && !Alive().Contains(id))];
        if (ended is [var owner, ..])
            yield return new(WaitFactKey.HeldByEndedThread, owner);
        else if (writer <= 0 && layout.Spin is { } spin && item.Int32(spin) == 0 && _readers.Count(item) is { } readers && inside > readers + (upgrader > 0 ? 1 : 0))
            yield return new(WaitFactKey.HeldByEndedThread, 0);
    }

    private HashSet<int> Alive() => _alive ??= [.. all.Target.Runtime.Threads.Where(t => t.IsAlive).Select(t => t.ManagedThreadId)];

    public WaitReason? Joined(HeapObject item, int thread)
        => _threads.Of(item) is { } layout && item.Int32(layout.ManagedId) is > 0 and var other && other != thread ? OfThread(item.Address, other) : null;

    /// <summary>A wait for a thread: until it has ended, which may be the waiting one itself, or until it has run all finalizers that are due.</summary>
    /// <param name="address">Its object; 0 if that is not known.</param>
    /// <param name="thread">Its managed id.</param>
    /// <param name="call">The method that waits.</param>
    public static WaitReason OfThread(ulong address, int thread, string call = "Thread.Join")
        => new(WaitKind.Thread, call) { Resource = address, Shared = [new(WaitFactKey.ForThread, thread)], Owner = thread, Holders = [thread] };

    private Dictionary<uint, int> ByOSThread()
    {
        if (_byOSThread is null)
        {
            _byOSThread = [];
            foreach (ClrThread thread in all.Target.Runtime.Threads.Where(t => t.IsAlive))
                _byOSThread.TryAdd(thread.OSThreadId, thread.ManagedThreadId);
        }
        return _byOSThread;
    }
}

/// <summary><c>System.Threading.Lock</c> (System.Private.CoreLib 10.0.12, Lock.cs).</summary>
/// <param name="Owner">uint, the operating system's id of the thread that holds it; 0 for none.</param>
/// <param name="State">uint: flags below, above them the number of waiters.</param>
internal sealed record LockLayout(int Owner, int State)
{
    // Lock.State.WaiterCountIncrement, as measured in a process: the shift differs between versions of Lock.cs.
    private const uint WaiterUnit = 1 << 7;

    public static LockLayout? Of(ClrType type, int pointerSize)
        => type.Name == "System.Threading.Lock" && FieldOffsets.Find(type, pointerSize, "_owningThreadId", "_state") is { } fields
            ? new(fields["_owningThreadId"], fields["_state"])
            : null;

    public static uint Waiters(uint state) => state / WaiterUnit;
}

/// <summary><c>System.Threading.ReaderWriterLockSlim</c>.</summary>
/// <param name="Writer">int, managed id of the thread that may write; -1 for none.</param>
/// <param name="Upgrader">int, managed id of the thread that may upgrade; -1 for none.</param>
/// <param name="Owners">uint: flags, and below them the number of readers.</param>
/// <param name="WriteWaiters">uint.</param>
/// <param name="ReadWaiters">uint.</param>
internal sealed record ReaderWriterLayout(int Writer, int Upgrader, int Owners, int WriteWaiters, int ReadWaiters)
{
    /// <summary>int, 1 while a thread changes the lock; null if that is unknown.</summary>
    public int? Spin { get; private init; }

    // ReaderWriterLockSlim.READER_MASK; above it WRITER_HELD, WAITING_WRITERS, WAITING_UPGRADER.
    private const uint ReaderMask = 0x10000000 - 1;

    public static ReaderWriterLayout? Of(ClrType type, int pointerSize)
        => type.Name == "System.Threading.ReaderWriterLockSlim"
            && FieldOffsets.Find(type, pointerSize, "_writeLockOwnerId", "_upgradeLockOwnerId", "_owners", "_numWriteWaiters", "_numReadWaiters") is { } f
            ? new(f["_writeLockOwnerId"], f["_upgradeLockOwnerId"], f["_owners"], f["_numWriteWaiters"], f["_numReadWaiters"]) { Spin = FieldPath.Find(type, pointerSize, "_spinLock", "_isLocked") }
            : null;

    public static uint Readers(uint owners) => owners & ReaderMask;
}

/// <summary><c>System.Threading.Thread</c>, the managed object.</summary>
/// <param name="ManagedId">int.</param>
internal sealed record ThreadLayout(int ManagedId)
{
    public static ThreadLayout? Of(ClrType type, int pointerSize)
        => type.Name == "System.Threading.Thread" && FieldPath.Find(type, pointerSize, "_managedThreadId") is { } id ? new(id) : null;
}
