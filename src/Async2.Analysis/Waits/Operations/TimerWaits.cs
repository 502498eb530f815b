using System.Collections.Immutable;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Layouts.Waits;
using Async2.Analysis.Model;
using Async2.Analysis.Waits.Reading;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Waits.Operations;

/// <summary>Task.Delay and PeriodicTimer.</summary>
internal sealed class TimerWaits(WaitReaderContext all) : IWaitFamily
{
    private readonly LayoutCache<PeriodicTimerLayout> _periodic = all.Layouts(PeriodicTimerLayout.Of);
    private readonly WaitFactList _facts = new();

    public WaitStepReader? ReaderOf(ClrType type)
    {
        if (DelayLayout.Of(type, all.PointerSize) is { } delay)
            return address => new(Delay(all.At(address), delay));
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
