using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Model;
using Async2.Analysis.Waits.Reading;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Waits.Operations;

/// <summary>Process.WaitForExitAsync, an async method of the framework over a TaskCompletionSource, and threads in Process.WaitForExit.</summary>
internal sealed class ProcessWaits(WaitReaderContext all) : IWaitFamily<ProcessWaits>
{
    private readonly WaitFactList _facts = new();

    public static IReadOnlyList<LibraryObject> Objects => ProcessStreams.Objects;

    public static ProcessWaits Open(WaitReaderContext all) => new(all);

    public WaitStepReader? ReaderOf(ClrType type)
        => StateMachineSourceLayout.Of(type, all.PointerSize) is { Owner: { } owner } layout
            && layout.Machine.Name?.StartsWith(ProcessLayout.WaitForExit, StringComparison.Ordinal) == true
            ? address => new(Read(all.At(address).At(owner), "Process.WaitForExitAsync"))
            : null;

    /// <inheritdoc/>
    public BlockingReader? ReaderOf(BlockingKind kind)
        => kind == BlockingKind.Process ? (item, _) => !all.Streams.Know(item) ? null : Read(item, "Process.WaitForExit") : null;

    private WaitReason Read(HeapObject process, string call)
    {
        all.Streams.AddState(_facts, process);
        return new(WaitKind.Process, call) { Resource = process.Address, Shared = _facts.Take() };
    }
}
