using System.Collections.Immutable;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Model;
using Async2.Analysis.Waits.Reading;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Waits.Operations;

/// <summary>Task.Delay and PeriodicTimer.</summary>
internal sealed class TimerWaits(WaitReaderContext all) : IWaitFamily<TimerWaits>
{
    public static IReadOnlyList<KnownWait> Names { get; } =
    [
        new("System.Threading.Tasks.Task+DelayPromise", WaitKind.Timer, "Task.Delay"), // also DelayPromiseWithCancellation
        new("System.Threading.PeriodicTimer", WaitKind.Timer, "PeriodicTimer"),
    ];

    private readonly LayoutCache<PeriodicTimerLayout> _periodic = all.Layouts(PeriodicTimerLayout.Of);
    private readonly WaitFactList _facts = new();

    public static TimerWaits Open(WaitReaderContext all) => new(all);

    public WaitStepReader? ReaderOf(ClrType type)
    {
        if (DelayLayout.Of(type, all.PointerSize) is { } delay)
            return address => new(Delay(all.At(address), delay)) { Timer = all.At(address).Reference(delay.Timer) };
        return PeriodicStateLayout.Of(type, all.PointerSize) is { } state ? address => new(Tick(all.At(address), state)) : null;
    }

    private WaitReason Delay(HeapObject promise, DelayLayout layout)
    {
        ulong timer = promise.Reference(layout.Timer);
        TimerFacts? found = timer == 0 ? null : all.Timers.Read(timer);
        if (timer == 0)
            _facts.Add(WaitFactKey.Infinite);
        else if (found?.Due is { } due)
            _facts.Add(WaitFactKey.Length, due);
        return new(WaitKind.Timer, "Task.Delay") { Shared = _facts.Take(), Own = OwnOf(found, promise, layout.Token) };
    }

    private WaitReason Tick(HeapObject state, PeriodicStateLayout layout)
    {
        HeapObject owner = state.At(layout.Owner);
        TimerFacts? found = _periodic.Of(owner) is { } fields ? all.Timers.Read(owner.Reference(fields.Timer)) : null;
        if (found?.Period is { } period)
            _facts.Add(WaitFactKey.Period, period);
        return new(WaitKind.Timer, "PeriodicTimer") { Resource = owner.Address, Shared = _facts.Take(), Own = OwnOf(found, state, layout.Token) };
    }

    private ImmutableArray<WaitFact> OwnOf(TimerFacts? timer, HeapObject holder, int? token)
    {
        _facts.AddDue(timer);
        all.Tokens.AddRegistration(_facts, holder, token);
        return _facts.Take();
    }
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
