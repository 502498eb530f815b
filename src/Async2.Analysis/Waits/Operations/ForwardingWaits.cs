using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Layouts.Waits;
using Async2.Analysis.Model;
using Async2.Analysis.Waits.Reading;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Waits.Operations;

/// <summary>Tasks that stand for another awaited object: WaitAsync, ContinueWith, Task.Run of an async delegate, ValueTask.AsTask.</summary>
internal sealed class ForwardingWaits(WaitReaderContext all) : IWaitFamily
{
    private static readonly WaitReason Promise = new(WaitKind.Task, "Task.WaitAsync");
    private static readonly WaitReason OfSemaphore = new(WaitKind.Task);
    private static readonly WaitReason After = new(WaitKind.Task, "Task.ContinueWith");
    private static readonly WaitReason Run = new(WaitKind.Task, "Task.Run");
    private static readonly WaitReason RunOuter = Run with { Shared = [new(WaitFactKey.DelegateNotReturned)] };
    private static readonly WaitReason RunInner = Run with { Shared = [new(WaitFactKey.TaskPending)] };

    private readonly LayoutCache<QueueNodeLayout> _taskNodes = all.Layouts(QueueNodeLayout.OfTaskNode);
    private readonly WaitFactList _facts = new();

    public WaitStepReader? ReaderOf(ClrType type)
    {
        int pointerSize = all.PointerSize;
        if (WaitAsyncLayout.Of(type, pointerSize) is { } wait)
            return address => WaitAsync(all.At(address), wait);
        if (SourceAsTaskLayout.Of(type, pointerSize) is { } task)
            return address => new(null, all.At(address).Reference(task.Source));
        if (ContinuationTaskLayout.Of(type, pointerSize) is { } after)
            return address => new(After, all.At(address).Reference(after.Antecedent));
        return UnwrapLayout.Of(type, pointerSize) is { } unwrap ? address => new(Unwrap(all.At(address), unwrap)) : null;
    }

    // A semaphore with a timeout or token waits like this itself: then nobody called WaitAsync of a task.
    private WaitStep WaitAsync(HeapObject promise, WaitAsyncLayout layout)
    {
        HeapObject task = promise.At(layout.Task);
        bool isSemaphore = _taskNodes.Of(task) is not null;
        AddPatience(promise, layout);
        return new((isSemaphore ? OfSemaphore : Promise) with { Own = _facts.Take() }, task.Address, isSemaphore);
    }

    private static WaitReason Unwrap(HeapObject promise, UnwrapLayout layout)
        => promise.Byte(layout.State) is { } code ? code == UnwrapLayout.WaitingOnOuter ? RunOuter : RunInner : Run;

    // How long it goes on waiting.
    private void AddPatience(HeapObject promise, WaitAsyncLayout layout)
    {
        if (promise.Reference(layout.Timer) is not 0 and var timer && all.Timers.Read(timer) is { Due: { } due } found)
        {
            _facts.Add(WaitFactKey.Timeout, due);
            _facts.AddDue(found);
        }
        all.Tokens.AddRegistration(_facts, promise, layout.Token);
    }
}
