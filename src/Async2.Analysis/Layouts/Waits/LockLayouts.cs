using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Layouts.Waits;

/// <summary><c>System.Threading.Lock</c> (System.Private.CoreLib 10.0.12, Lock.cs).</summary>
/// <param name="Owner">uint, managed id of the thread that holds it; 0 for none.</param>
/// <param name="State">uint: bits below, and the number of waiters.</param>
internal sealed record LockLayout(int Owner, int State)
{
    // Lock.State: the waiter count begins at this bit.
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
/// <param name="Owners">uint: flags, and the number of readers.</param>
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

/// <summary><c>System.Threading.ManualResetEventSlim</c>.</summary>
/// <param name="State">int: bit 31 says that it is set, the low bits count the waiters.</param>
internal sealed record EventLayout(int State)
{
    private const int WaiterMask = 0x7ffff;

    public static EventLayout? Of(ClrType type, int pointerSize)
        => type.Name == "System.Threading.ManualResetEventSlim" && FieldPath.Find(type, pointerSize, "m_combinedState") is { } state ? new(state) : null;

    public static bool IsSet(int state) => state < 0;

    public static int Waiters(int state) => state & WaiterMask;
}

/// <summary><c>System.Threading.CountdownEvent</c>.</summary>
/// <param name="Initial">int.</param>
/// <param name="Current">int.</param>
internal sealed record CountdownLayout(int Initial, int Current)
{
    public static CountdownLayout? Of(ClrType type, int pointerSize)
        => type.Name == "System.Threading.CountdownEvent" && FieldOffsets.Find(type, pointerSize, "_initialCount", "_currentCount") is { } fields
            ? new(fields["_initialCount"], fields["_currentCount"])
            : null;
}

/// <summary><c>System.Threading.Barrier</c>.</summary>
/// <param name="Total">int: sense in bit 31, who has arrived from bit 16 on, participants in the low bits.</param>
/// <param name="Phase">long.</param>
internal sealed record BarrierLayout(int Total, int Phase)
{
    private const int Mask = 0x7fff;
    private const int ArrivedShift = 16;

    public static BarrierLayout? Of(ClrType type, int pointerSize)
        => type.Name == "System.Threading.Barrier" && FieldOffsets.Find(type, pointerSize, "_currentTotalCount", "_currentPhase") is { } fields
            ? new(fields["_currentTotalCount"], fields["_currentPhase"])
            : null;

    public static (int Arrived, int Participants) Of(int total) => ((total >> ArrivedShift) & Mask, total & Mask);
}

/// <summary><c>System.Collections.Concurrent.BlockingCollection</c>.</summary>
/// <param name="Capacity">int; -1 for none.</param>
/// <param name="Occupied">SemaphoreSlim that counts the items.</param>
internal sealed record BlockingCollectionLayout(int Capacity, int Occupied)
{
    public static BlockingCollectionLayout? Of(ClrType type, int pointerSize)
        => type.Name?.StartsWith("System.Collections.Concurrent.BlockingCollection<", StringComparison.Ordinal) == true
            && FieldOffsets.Find(type, pointerSize, "_boundedCapacity", "_occupiedNodes") is { } fields
            ? new(fields["_boundedCapacity"], fields["_occupiedNodes"])
            : null;
}

/// <summary><c>System.Threading.Thread</c>, the managed object.</summary>
/// <param name="ManagedId">int.</param>
internal sealed record ThreadLayout(int ManagedId)
{
    public static ThreadLayout? Of(ClrType type, int pointerSize)
        => type.Name == "System.Threading.Thread" && FieldPath.Find(type, pointerSize, "_managedThreadId") is { } id ? new(id) : null;
}
