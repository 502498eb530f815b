using Async2.Analysis.Code.Modules;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Targets;
using Async2.Analysis.Waits.Operations;
using Async2.Analysis.Waits.Reading;

namespace Async2.Analysis.Waits;

/// <summary>
/// The timeout of a wait for a task: <c>Task.WaitAsync</c> with a timeout. If the task is that of an async method, the stack
/// continues with the method, and the promise in between is not shown.
/// </summary>
internal sealed class TaskTimeouts(Target target, LoadedModules modules, WaitResources resources)
{
    private readonly Lazy<(WaitReaderContext All, LayoutCache<WaitAsyncLayout> Promises)> _readers = new(() =>
    {
        WaitReaderContext all = WaitFamilies.ContextOf(target, modules, resources);
        return (all, all.Layouts(WaitAsyncLayout.Of));
    });

    /// <summary>Address of the timer that ends the wait; 0 for another object, or one that waits forever.</summary>
    public ulong TimerOf(ulong awaited)
    {
        HeapObject promise = _readers.Value.All.At(awaited);
        return _readers.Value.Promises.Of(promise) is { } layout && promise.Reference(layout.Timer) is not 0 and var timer ? _readers.Value.All.Timers.Find(timer) : 0;
    }

    /// <summary>The limit in ms; null for another object, or one that waits forever.</summary>
    public long? Of(ulong awaited)
    {
        HeapObject promise = _readers.Value.All.At(awaited);
        if (_readers.Value.Promises.Of(promise) is not { } layout || promise.Reference(layout.Timer) is not (not 0 and var timer))
            return null;
        return _readers.Value.All.Timers.Read(timer)?.Due;
    }
}
