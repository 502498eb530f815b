using Async2.Analysis.Layouts.Types;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Layouts.Waits;

/// <summary><c>System.Threading.ManualResetEventSlim</c> (System.Private.CoreLib 10.0.12).</summary>
/// <param name="State">int: the highest bit says that it is set, the low bits count the waiters.</param>
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
/// <param name="Counts">int: sense in bit 31, who has arrived from bit 16 on, participants in the low bits.</param>
/// <param name="Phase">long.</param>
internal sealed record BarrierLayout(int Counts, int Phase)
{
    private const int Mask = 0x7fff;
    private const int ArrivedShift = 16;

    public static BarrierLayout? Of(ClrType type, int pointerSize)
        => type.Name == "System.Threading.Barrier" && FieldOffsets.Find(type, pointerSize, "_currentTotalCount", "_currentPhase") is { } fields
            ? new(fields["_currentTotalCount"], fields["_currentPhase"])
            : null;

    public static (int Arrived, int Participants) Split(int counts) => ((counts >> ArrivedShift) & Mask, counts & Mask);
}

/// <summary><c>System.Collections.Concurrent.BlockingCollection</c>.</summary>
/// <param name="Capacity">int; -1 for none.</param>
/// <param name="Occupied">SemaphoreSlim that counts the items.</param>
/// <param name="Adding">int: the highest bit says that no more will be added.</param>
internal sealed record BlockingCollectionLayout(int Capacity, int Occupied, int Adding)
{
    public const int NoCapacity = -1;

    public static BlockingCollectionLayout? Of(ClrType type, int pointerSize)
        => type.Name?.StartsWith("System.Collections.Concurrent.BlockingCollection<", StringComparison.Ordinal) == true
            && FieldOffsets.Find(type, pointerSize, "_boundedCapacity", "_occupiedNodes", "_currentAdders") is { } fields
            ? new(fields["_boundedCapacity"], fields["_occupiedNodes"], fields["_currentAdders"])
            : null;
}

/// <summary>Events, mutexes and semaphores of the operating system: what derives from <c>System.Threading.WaitHandle</c>.</summary>
/// <param name="Name">Its short type name.</param>
internal sealed record WaitHandleLayout(string Name)
{
    public static WaitHandleLayout? Of(ClrType type)
        => BaseTypes.Find(type, "System.Threading.WaitHandle") is not null && type.Name is { } name ? new(name.Split('.')[^1]) : null;
}
