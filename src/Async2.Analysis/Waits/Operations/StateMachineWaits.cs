using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Layouts.Waits;
using Async2.Analysis.Layouts;
using Async2.Analysis.Waits.Reading;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Waits.Operations;

/// <summary>Async methods of the framework between the user's await and what it comes down to: looked through, or known by name.</summary>
internal sealed class StateMachineWaits(WaitReaderContext all) : IWaitFamily
{
    private readonly ProcessWaits _processes = new(all);

    public WaitStepReader? ReaderOf(ClrType type)
    {
        if (_processes.ReaderOf(type) is { } process)
            return process;
        return StateMachineSourceLayout.Of(type, all.PointerSize) is { } layout ? address => Through(all.At(address), layout) : null;
    }

    // Awaiters are cleared when their await is over, so what is still there is what is awaited.
    private static WaitStep Through(HeapObject box, StateMachineSourceLayout layout)
    {
        ulong behind = layout.Awaited.Select(box.Reference).LastOrDefault(reference => reference != 0 && reference != box.Address);
        bool isOwnWait = KnownWaits.Of(layout.Machine.Name) is { Family: WaitFamily.Semaphore };
        return behind != 0
            ? new(new(WaitFamily.Task, null, null, null, 0), behind, isOwnWait)
            : new(new(WaitFamily.Task, WaitNames.MethodOf(layout.Machine), null, null, 0));
    }
}
