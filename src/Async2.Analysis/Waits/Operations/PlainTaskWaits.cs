using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Model;
using Async2.Analysis.Waits.Reading;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Waits.Operations;

/// <summary>Task and Task&lt;T&gt; themselves: a delegate that runs on a thread, or the promise of a TaskCompletionSource.</summary>
internal sealed class PlainTaskWaits(WaitReaderContext all) : IWaitFamily<PlainTaskWaits>
{
    private static readonly WaitReason Unknown = new(WaitKind.Task);

    private readonly ProcessWaits _processes = new(all);
    private readonly DelegateNames _delegates = new(all);

    public static PlainTaskWaits Open(WaitReaderContext all) => new(all);

    public WaitStepReader? ReaderOf(ClrType type)
    {
        if (PlainTaskLayout.Of(type, all.PointerSize) is not { } layout)
            return null;
        var promise = new WaitReason(WaitKind.Task, WaitNames.Promise(type));
        return address => new(Read(all.At(address), layout, promise));
    }

    private WaitReason Read(HeapObject task, PlainTaskLayout layout, WaitReason promise)
    {
        HeapObject action = task.At(layout.Action);
        if (action.Address == 0)
            return OfProcess(task.Reference(layout.ContinuationObject)) ?? promise;
        WaitFactKey doing = task.Int32(layout.StateFlags) is { } flags ? PlainTaskLayout.Doing(flags) : WaitFactKey.TaskDelegate;
        string? method = _delegates.Of(action);
        return doing == WaitFactKey.TaskDelegate && method is null ? Unknown : Unknown with { Shared = [new(doing, Text: method)] };
    }

    // The framework's own promise that a process completes.
    private WaitReason? OfProcess(ulong waiter)
    {
        ulong methodTable = waiter == 0 ? 0 : all.At(waiter).MethodTable();
        ClrType? type = TypeLookup.Of(all.Target.Runtime, methodTable);
        return type is not null && _processes.ReaderOf(type) is { } reader ? reader(waiter).Reason : null;
    }
}
