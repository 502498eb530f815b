using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Layouts.Waits;
using Async2.Analysis.Layouts;
using Async2.Analysis.Waits.Reading;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Waits.Operations;

/// <summary>Task.Delay and PeriodicTimer.</summary>
internal sealed class TimerWaits(WaitReaderContext all) : IWaitFamily
{
    private readonly LayoutCache<PeriodicTimerLayout> _periodic = all.Layouts(PeriodicTimerLayout.Of);

    public WaitStepReader? ReaderOf(ClrType type)
    {
        if (DelayLayout.Of(type, all.PointerSize) is { } delay)
            return address => new(Delay(all.At(address), delay));
        return PeriodicStateLayout.Of(type, all.PointerSize) is { } state ? address => new(Tick(all.At(address), state)) : null;
    }

    private WaitFacts Delay(HeapObject promise, DelayLayout layout)
    {
        ulong timer = promise.Reference(layout.Timer);
        TimerFacts? facts = timer == 0 ? null : all.Timers.Read(timer);
        string? length = timer == 0 ? "infinite" : facts?.Due is { } due ? WaitText.Duration(due) : null;
        return new(WaitFamily.Timer, "Task.Delay", length, WaitText.Join(facts?.When, all.Tokens.OfRegistration(promise, layout.Token)), 0);
    }

    private WaitFacts Tick(HeapObject state, PeriodicStateLayout layout)
    {
        HeapObject owner = state.At(layout.Owner);
        TimerFacts? facts = _periodic.Of(owner) is { } fields ? all.Timers.Read(owner.Reference(fields.Timer)) : null;
        string? period = facts?.Period is { } length ? "every " + WaitText.Duration(length) : null;
        return new(WaitFamily.Timer, "PeriodicTimer", period, WaitText.Join(facts?.When, all.Tokens.OfRegistration(state, layout.Token)), owner.Address);
    }
}
