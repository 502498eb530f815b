using System.Buffers.Binary;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Targets.Memory;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Layouts;

/// <summary>
/// When a <c>System.Threading.TimerQueueTimer</c> was set, and for what (System.Private.CoreLib 10.0.12, Timer.cs). A timer that fired once or was
/// deleted has a start of 0.
/// </summary>
internal sealed class TimerStampLayout
{
    public const string TypeName = "System.Threading.TimerQueueTimer";

    // Timeout.UnsignedInfinite.
    private const uint Infinite = uint.MaxValue;

    private readonly int _start, _due, _period, _state, _callback, _pointerSize;

    private TimerStampLayout(FieldOffsets fields, int pointerSize)
    {
        (_start, _due, _period) = (fields["_startTicks"], fields["_dueTime"], fields["_period"]);
        (_state, _callback) = (fields["_state"], fields["_timerCallback"]);
        (_pointerSize, Size) = (pointerSize, fields.End);
    }

    /// <summary>Bytes from the object's address that cover its fields.</summary>
    public int Size { get; }

    public static TimerStampLayout? Of(ClrType type, int pointerSize)
        => FieldOffsets.Find(type, pointerSize, "_startTicks", "_dueTime", "_period", "_state", "_timerCallback") is { } fields ? new(fields, pointerSize) : null;

    /// <summary>A timer that fires once; null for one that repeats, which moves its start, and for one that is not set.</summary>
    /// <param name="address">Its address.</param>
    /// <param name="bytes">The object.</param>
    public TimerStamp? Read(ulong address, ReadOnlySpan<byte> bytes)
        => BinaryPrimitives.ReadInt64LittleEndian(bytes[_start..]) is > 0 and var start
            && BinaryPrimitives.ReadUInt32LittleEndian(bytes[_due..]) != Infinite
            && BinaryPrimitives.ReadUInt32LittleEndian(bytes[_period..]) is 0 or Infinite
            ? new(address, TargetMemory.PointerIn(bytes[_state..], _pointerSize), TargetMemory.PointerIn(bytes[_callback..], _pointerSize), start)
            : null;
}

/// <summary>A timer that is set and fires once.</summary>
/// <param name="Address">Its address.</param>
/// <param name="State">What its callback gets: the promise that it ends, if it was made for one.</param>
/// <param name="Callback">The delegate.</param>
/// <param name="Start">Tick when it was set.</param>
internal readonly record struct TimerStamp(ulong Address, ulong State, ulong Callback, long Start);
