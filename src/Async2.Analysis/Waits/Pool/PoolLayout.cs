using System.Globalization;
using Async2.Analysis.Layouts.Types;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Waits.Pool;

/// <summary><c>System.Threading.PortableThreadPool</c> (System.Private.CoreLib of .NET 8 to 10.0.12).</summary>
/// <param name="Counts">ulong of ThreadCounts: int16 each, workers that run something, workers, the goal.</param>
internal sealed record PoolLayout(int Counts)
{
    private const string Separated = "_separated";

    /// <summary>int16.</summary>
    public int? Min { get; private init; }

    /// <summary>int16.</summary>
    public int? Max { get; private init; }

    /// <summary>int16: threads in Task.SpinThenBlockingWait, which is its only writer.</summary>
    public int? Blocked { get; private init; }

    /// <summary>int16.</summary>
    public int? Added { get; private init; }

    /// <summary>int, percent, as the gate thread has last measured it.</summary>
    public int? Cpu { get; private init; }

    /// <summary>int, low half of the tick count: written when a worker begins and after each item.</summary>
    public int? LastDequeue { get; private init; }

    /// <summary>int, low half of the tick count when throughput was last measured.</summary>
    public int? LastSample { get; private init; }

    /// <summary>All fields that are known of 10.0.12 are there.</summary>
    public bool IsWhole => Min is not null && Max is not null && Blocked is not null && Added is not null && Cpu is not null && LastDequeue is not null;

    public static PoolLayout? Of(ClrType type, int pointerSize)
        => PoolTypeLayout.PartOf(type) != PoolPart.Pool || FieldPath.Find(type, pointerSize, Separated, "counts", "_data") is not { } counts ? null : new(counts)
        {
            Min = FieldPath.Find(type, pointerSize, "_minThreads"),
            Max = FieldPath.Find(type, pointerSize, "_maxThreads"),
            Blocked = FieldPath.Find(type, pointerSize, "_numBlockedThreads"),
            Added = FieldPath.Find(type, pointerSize, "_numThreadsAddedDueToBlocking"),
            Cpu = FieldPath.Find(type, pointerSize, "_cpuUtilization"),
            LastDequeue = FieldPath.Find(type, pointerSize, Separated, "lastDequeueTime"),
            LastSample = FieldPath.Find(type, pointerSize, Separated, "priorCompletedWorkRequestsTime"),
        };

    public static (int Working, int Existing, int Goal) Split(long counts) => ((short)counts, (short)(counts >> 16), (short)(counts >> 32));
}

/// <summary><c>PortableThreadPool.HillClimbing</c>: how many workers there should be, and why.</summary>
/// <param name="Log">A ring of entries.</param>
/// <param name="Start">int, the oldest.</param>
/// <param name="Size">int, how many there are.</param>
internal sealed record PoolGoalLayout(int Log, int Start, int Size)
{
    public static PoolGoalLayout? Of(ClrType type, int pointerSize)
        => FieldOffsets.Find(type, pointerSize, "_log", "_logStart", "_logSize") is { } f ? new(f["_log"], f["_logStart"], f["_logSize"]) : null;
}

/// <summary><c>HillClimbing.LogEntry[]</c>.</summary>
/// <param name="Size">Bytes of an entry.</param>
/// <param name="Tick">int, low half of the tick count.</param>
/// <param name="Reason">int, HillClimbing.StateOrTransition.</param>
/// <param name="Goal">int, how many workers are wanted from then on.</param>
internal sealed record PoolLogLayout(int Size, int Tick, int Reason, int Goal)
{
    /// <summary>HillClimbing.LogCapacity is 200.</summary>
    public const int MostEntries = 1000;

    // HillClimbing.StateOrTransition.
    private static readonly string[] Reasons =
        ["Warmup", "Initializing", "RandomMove", "ClimbingMove", "ChangePoint", "Stabilizing", "Starvation", "ThreadTimedOut", "CooperativeBlocking"];

    public static string NameOf(int reason) => reason >= 0 && reason < Reasons.Length ? Reasons[reason] : reason.ToString(CultureInfo.InvariantCulture);

    public static PoolLogLayout? Of(ClrType type, int _)
        => type is { IsArray: true, ComponentType: { } entry, ComponentSize: > 0 and var size }
            // Structs in an array have no method table before them.
            && FieldPath.Find(entry, 0, "tickCount") is { } tick && FieldPath.Find(entry, 0, "stateOrTransition") is { } reason && FieldPath.Find(entry, 0, "newControlSetting") is { } goal
            ? new(size, tick, reason, goal) : null;
}

/// <summary><c>System.Threading.Thread</c>, as the pool names its own.</summary>
/// <param name="ManagedId">int.</param>
/// <param name="Name">string.</param>
/// <param name="IsPool">bool; null where the native thread has it, as before .NET 10.</param>
internal sealed record PoolThreadLayout(int ManagedId, int Name, int? IsPool)
{
    /// <summary>Name of a worker; other threads of the pool, such as the gate, have others.</summary>
    public const string Worker = ".NET TP Worker";

    public static PoolThreadLayout? Of(ClrType type, int pointerSize)
        => FieldOffsets.Find(type, pointerSize, "_managedThreadId", "_name") is { } f
            ? new(f["_managedThreadId"], f["_name"], FieldPath.Find(type, pointerSize, "_isThreadPool")) : null;
}
