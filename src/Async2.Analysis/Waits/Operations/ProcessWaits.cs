using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Layouts.Waits;
using Async2.Analysis.Model;
using Async2.Analysis.Waits.Reading;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Waits.Operations;

/// <summary>Process.WaitForExitAsync, an async method of the framework over a TaskCompletionSource.</summary>
internal sealed class ProcessWaits(WaitReaderContext all) : IWaitFamily
{
    private readonly LayoutCache<ProcessLayout> _layouts = all.Layouts(ProcessLayout.Of);

    public WaitStepReader? ReaderOf(ClrType type)
        => StateMachineSourceLayout.Of(type, all.PointerSize) is { Owner: { } owner } layout
            && layout.Machine.Name?.StartsWith(ProcessLayout.WaitForExit, StringComparison.Ordinal) == true
            ? address => new(Read(all.At(address).At(owner)))
            : null;

    private WaitReason Read(HeapObject process) => new(WaitKind.Process, "Process.WaitForExitAsync")
    {
        Resource = process.Address,
        Shared = _layouts.Of(process) is { } layout && process.Int32(layout.Id) is { } id && process.Byte(layout.Exited) is { } exited
            ? [new(WaitFactKey.ProcessId, id), new(WaitFactKey.Exited, exited == 0 ? 0 : 1)] : [],
    };
}
