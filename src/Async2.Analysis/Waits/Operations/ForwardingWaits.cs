using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Layouts.Waits;
using Async2.Analysis.Layouts;
using Async2.Analysis.Waits.Reading;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Waits.Operations;

/// <summary>Tasks that stand for another awaited object: WaitAsync, ContinueWith, Task.Run of an async delegate, ValueTask.AsTask.</summary>
internal sealed class ForwardingWaits(WaitReaderContext all) : IWaitFamily
{
    private readonly LayoutCache<QueueNodeLayout> _taskNodes = all.Layouts(QueueNodeLayout.OfTaskNode);

    public WaitStepReader? ReaderOf(ClrType type)
    {
        int pointerSize = all.PointerSize;
        if (WaitAsyncLayout.Of(type, pointerSize) is { } wait)
            return address => WaitAsync(all.At(address), wait);
        if (SourceAsTaskLayout.Of(type, pointerSize) is { } task)
            return address => new(null, all.At(address).Reference(task.Source));
        if (ContinuationTaskLayout.Of(type, pointerSize) is { } after)
            return address => new(new(WaitFamily.Task, "Task.ContinueWith", null, null, 0), all.At(address).Reference(after.Antecedent));
        return UnwrapLayout.Of(type, pointerSize) is { } unwrap ? address => new(Unwrap(all.At(address), unwrap)) : null;
    }

    // A semaphore with a timeout or token waits like this itself: then nobody called WaitAsync of a task.
    private WaitStep WaitAsync(HeapObject promise, WaitAsyncLayout layout)
    {
        HeapObject task = promise.At(layout.Task);
        bool isSemaphore = _taskNodes.Of(task) is not null;
        return new(new(WaitFamily.Task, isSemaphore ? null : "Task.WaitAsync", null, PatienceOf(promise, layout), 0), task.Address, isSemaphore);
    }

    private static WaitFacts Unwrap(HeapObject promise, UnwrapLayout layout)
    {
        string? state = promise.Byte(layout.State) is { } code ? code == UnwrapLayout.WaitingOnOuter ? "its delegate has not returned" : "its task is pending" : null;
        return new(WaitFamily.Task, "Task.Run", state, null, 0);
    }

    // How long it goes on waiting.
    private string? PatienceOf(HeapObject promise, WaitAsyncLayout layout)
    {
        ulong timer = promise.Reference(layout.Timer);
        TimerFacts? facts = timer == 0 ? null : all.Timers.Read(timer);
        string? timeout = facts?.Due is { } due ? WaitText.Join("timeout " + WaitText.Duration(due), facts.When) : null;
        return WaitText.Join(timeout, all.Tokens.OfRegistration(promise, layout.Token));
    }
}
