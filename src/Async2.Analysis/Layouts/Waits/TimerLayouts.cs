using Async2.Analysis.Layouts.Types;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Layouts.Waits;

/// <summary>
/// <c>System.Threading.TimerQueueTimer</c>, what all timers of .NET are in the end (System.Private.CoreLib 10.0.12, Timer.cs).
/// </summary>
/// <param name="StartTicks">long, <c>Environment.TickCount64</c> when it was set.</param>
/// <param name="DueTime">uint, ms from then; all ones when it is not set.</param>
/// <param name="Period">uint, ms; all ones or 0 when it fires once.</param>
/// <param name="Queue">TimerQueue that has it.</param>
/// <param name="Next">Next timer of the queue.</param>
internal sealed record TimerLayout(int StartTicks, int DueTime, int Period, int Queue, int Next)
{
    /// <summary>Timeout.UnsignedInfinite.</summary>
    public const uint Infinite = uint.MaxValue;

    public static TimerLayout? Of(ClrType type, int pointerSize)
        => type.Name == "System.Threading.TimerQueueTimer"
            && FieldOffsets.Find(type, pointerSize, "_startTicks", "_dueTime", "_period", "_associatedTimerQueue", "_next") is { } fields
            ? new(fields["_startTicks"], fields["_dueTime"], fields["_period"], fields["_associatedTimerQueue"], fields["_next"])
            : null;
}

/// <summary><c>TimerQueue</c>: one for each processor.</summary>
/// <param name="CurrentStartTicks">long, tick count when the queue last set its system timer: it was then at the earliest.</param>
/// <param name="Short">First of the timers that are due soon.</param>
/// <param name="Long">First of the others.</param>
internal sealed record TimerQueueLayout(int CurrentStartTicks, int Short, int Long)
{
    public static TimerQueueLayout? Of(ClrType type, int pointerSize)
        => FieldOffsets.Find(type, pointerSize, "_currentTimerStartTicks", "_shortTimers", "_longTimers") is { } fields
            ? new(fields["_currentTimerStartTicks"], fields["_shortTimers"], fields["_longTimers"])
            : null;
}

/// <summary>Wrappers of a timer: <c>Timer</c>, <c>TimerHolder</c>, <c>TimeProvider+SystemTimeProviderTimer</c>.</summary>
/// <param name="Inner">What is wrapped.</param>
internal sealed record TimerWrapperLayout(int Inner)
{
    private static readonly string[] Names =
        ["System.Threading.Timer", "System.Threading.TimerHolder", "System.TimeProvider+SystemTimeProviderTimer"];

    public static TimerWrapperLayout? Of(ClrType type, int pointerSize)
        => Names.Contains(type.Name) && FieldPath.Find(type, pointerSize, "_timer") is { } inner ? new(inner) : null;
}

/// <summary><c>Task+DelayPromise</c> and <c>DelayPromiseWithCancellation</c>.</summary>
/// <param name="Timer">ITimer; null for an infinite delay.</param>
/// <param name="Token">Node of the registration with a token, where it has one.</param>
internal sealed record DelayLayout(int Timer, int? Token)
{
    private const string TypeName = "System.Threading.Tasks.Task+DelayPromise";

    public static DelayLayout? Of(ClrType type, int pointerSize)
        => BaseTypes.Find(type, TypeName) is not null && FieldPath.Find(type, pointerSize, "_timer") is { } timer
            ? new(timer, TokenLayouts.RegistrationIn(type, pointerSize, "_registration"))
            : null;
}

/// <summary><c>PeriodicTimer+State</c>, the source that a tick completes.</summary>
/// <param name="Owner">The PeriodicTimer.</param>
/// <param name="Token">Node of the registration with a token.</param>
internal sealed record PeriodicStateLayout(int Owner, int? Token)
{
    public static PeriodicStateLayout? Of(ClrType type, int pointerSize)
        => type.Name == "System.Threading.PeriodicTimer+State" && FieldPath.Find(type, pointerSize, "_owner") is { } owner
            ? new(owner, TokenLayouts.RegistrationIn(type, pointerSize, "_ctr"))
            : null;
}

/// <summary><c>PeriodicTimer</c>.</summary>
/// <param name="Timer">ITimer.</param>
internal sealed record PeriodicTimerLayout(int Timer)
{
    public static PeriodicTimerLayout? Of(ClrType type, int pointerSize)
        => type.Name == "System.Threading.PeriodicTimer" && FieldPath.Find(type, pointerSize, "_timer") is { } timer ? new(timer) : null;
}
