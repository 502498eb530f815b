using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Layouts.Waits;
using Async2.Analysis.Layouts;
using Async2.Analysis.Waits.Reading;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Waits.Operations;

/// <summary>Task and Task&lt;T&gt; themselves: a delegate that runs on a thread, or the promise of a TaskCompletionSource.</summary>
internal sealed class PlainTaskWaits(WaitReaderContext all) : IWaitFamily
{
    private readonly ProcessWaits _processes = new(all);
    private readonly DelegateNames _delegates = new(all);

    public WaitStepReader? ReaderOf(ClrType type)
        => PlainTaskLayout.Of(type, all.PointerSize) is { } layout ? address => new(Read(all.At(address), layout, type)) : null;

    private WaitFacts Read(HeapObject task, PlainTaskLayout layout, ClrType type)
    {
        HeapObject action = task.At(layout.Action);
        if (action.Address == 0)
            return OfProcess(task.Reference(layout.ContinuationObject)) ?? new(WaitFamily.Task, WaitNames.Promise(type), null, null, 0);
        string? doing = task.Int32(layout.StateFlags) is { } flags ? PlainTaskLayout.Doing(flags) : null;
        string? method = _delegates.Of(action);
        return new(WaitFamily.Task, null, method is null ? doing : $"{method} {doing}".TrimEnd(), null, 0);
    }

    // The framework's own promise that a process completes.
    private WaitFacts? OfProcess(ulong waiter)
    {
        ulong methodTable = waiter == 0 ? 0 : all.At(waiter).MethodTable();
        ClrType? type = TypeLookup.Of(all.Target.Runtime, methodTable);
        return type is not null && _processes.ReaderOf(type) is { } reader ? reader(waiter).Facts : null;
    }
}
