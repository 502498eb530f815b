using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Model;
using Async2.Analysis.Waits.Reading;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Waits.Operations;

/// <summary>Async methods of the framework between the user's await and what it comes down to: looked through, or known by name.</summary>
internal sealed class StateMachineWaits(WaitReaderContext all) : IWaitFamily<StateMachineWaits>
{
    private static readonly WaitReason Outer = new(WaitKind.Task);


    public static StateMachineWaits Open(WaitReaderContext all) => new(all);

    public WaitStepReader? ReaderOf(ClrType type)
    {
        if (StateMachineSourceLayout.Of(type, all.PointerSize) is not { } layout)
            return null;
        bool isOwnWait = all.Table.NameOf(layout.Machine.Name) is { Kind: WaitKind.Semaphore };
        var alone = new WaitReason(WaitKind.Task, WaitNames.MethodOf(layout.Machine));
        return address => Through(all.At(address), layout, isOwnWait, alone);
    }

    // An awaiter is cleared after its await, so a remaining awaiter is the current one.
    private static WaitStep Through(HeapObject box, StateMachineSourceLayout layout, bool isOwnWait, WaitReason alone)
    {
        ulong behind = layout.Awaited.Select(box.Reference).LastOrDefault(reference => reference != 0 && reference != box.Address);
        return behind != 0 ? new(Outer, behind, isOwnWait) : new(alone);
    }
}
