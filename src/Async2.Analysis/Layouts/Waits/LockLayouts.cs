using Async2.Analysis.Layouts.Types;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Layouts.Waits;

/// <summary><c>System.Threading.Lock</c> (System.Private.CoreLib 10.0.12, Lock.cs).</summary>
/// <param name="Owner">uint, the operating system's id of the thread that holds it; 0 for none.</param>
/// <param name="State">uint: flags below, above them the number of waiters.</param>
internal sealed record LockLayout(int Owner, int State)
{
    // Lock.State.WaiterCountIncrement, seen in a process: the shift differs between versions of Lock.cs.
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
    // ReaderWriterLockSlim.READER_MASK; above it WRITER_HELD, WAITING_WRITERS, WAITING_UPGRADER.
    private const uint ReaderMask = 0x10000000 - 1;

    public static ReaderWriterLayout? Of(ClrType type, int pointerSize)
        => type.Name == "System.Threading.ReaderWriterLockSlim"
            && FieldOffsets.Find(type, pointerSize, "_writeLockOwnerId", "_upgradeLockOwnerId", "_owners", "_numWriteWaiters", "_numReadWaiters") is { } f
            ? new(f["_writeLockOwnerId"], f["_upgradeLockOwnerId"], f["_owners"], f["_numWriteWaiters"], f["_numReadWaiters"])
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
