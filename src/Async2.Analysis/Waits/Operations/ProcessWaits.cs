using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Model;
using Async2.Analysis.Waits.Reading;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Waits.Operations;

/// <summary>Process.WaitForExitAsync, an async method of the framework over a TaskCompletionSource, and threads in Process.WaitForExit.</summary>
internal sealed class ProcessWaits(WaitReaderContext all) : IWaitFamily<ProcessWaits>
{
    private readonly LayoutCache<ProcessLayout> _layouts = all.Layouts(ProcessLayout.Of);

    public static ProcessWaits Open(WaitReaderContext all) => new(all);

    public WaitStepReader? ReaderOf(ClrType type)
        => StateMachineSourceLayout.Of(type, all.PointerSize) is { Owner: { } owner } layout
            && layout.Machine.Name?.StartsWith(ProcessLayout.WaitForExit, StringComparison.Ordinal) == true
            ? address => new(Read(all.At(address).At(owner), "Process.WaitForExitAsync"))
            : null;

    /// <inheritdoc/>
    public BlockingReader? ReaderOf(BlockingKind kind)
        => kind == BlockingKind.Process ? (item, _) => _layouts.Of(item) is null ? null : Read(item, "Process.WaitForExit") : null;

    private WaitReason Read(HeapObject process, string call) => new(WaitKind.Process, call)
    {
        Resource = process.Address,
        Shared = _layouts.Of(process) is { } layout && process.Int32(layout.Id) is { } id && process.Byte(layout.Exited) is { } exited
            ? [new(WaitFactKey.ProcessId, id), new(WaitFactKey.Exited, exited == 0 ? 0 : 1)] : [],
    };
}

/// <summary><c>System.Diagnostics.Process</c> (System.Diagnostics.Process 10.0.12).</summary>
/// <param name="Id">int.</param>
/// <param name="Exited">bool, known to have ended.</param>
internal sealed record ProcessLayout(int Id, int Exited)
{
    /// <summary>State machine of Process.WaitForExitAsync.</summary>
    public const string WaitForExit = "System.Diagnostics.Process+<WaitForExitAsync>";

    public static ProcessLayout? Of(ClrType type, int pointerSize)
        => BaseTypes.Find(type, "System.Diagnostics.Process") is { } process
            && FieldOffsets.Find(process, pointerSize, "_processId", "_exited") is { } fields
            ? new(fields["_processId"], fields["_exited"])
            : null;
}
