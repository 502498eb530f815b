using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Layouts.Waits;
using Async2.Analysis.Model;
using Async2.Analysis.Waits.Reading;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Waits.Operations;

/// <summary>Both ends of a System.IO.Pipelines.Pipe: a read that waits for bytes, a flush that waits for the reader.</summary>
internal sealed class PipeWaits(WaitReaderContext all) : IWaitFamily
{
    private readonly LayoutCache<PipeLayout> _pipes = all.Layouts(PipeLayout.Of);
    private readonly LayoutCache<PipeOptionsLayout> _options = all.Layouts(PipeOptionsLayout.Of);
    private readonly WaitFactList _facts = new();

    public WaitStepReader? ReaderOf(ClrType type)
        => PipeEndLayout.Of(type, all.PointerSize) is { } end ? address => new(Read(all.At(address).At(end.Pipe), end.IsReader)) : null;

    private WaitReason Read(HeapObject pipe, bool isReader)
    {
        if (_pipes.Of(pipe) is { } layout)
            AddState(pipe, layout, isReader);
        return new(WaitKind.Pipe, "Pipe", isReader ? WaitAction.Read : WaitAction.Flush) { Resource = pipe.Address, Shared = _facts.Take() };
    }

    private void AddState(HeapObject pipe, PipeLayout layout, bool isReader)
    {
        if (pipe.Int64(layout.Unconsumed) is not { } bytes || bytes < 0)
            return;
        _facts.Add(WaitFactKey.Buffered, bytes);
        if (isReader)
        {
            if (pipe.Int32(layout.MinimumRead) is > 0 and var least)
                _facts.Add(WaitFactKey.Wanted, least);
            _facts.Add(WaitFactKey.WriterCompleted, pipe.Reference(layout.WriterDone) != 0 ? 1 : 0);
            return;
        }
        HeapObject options = pipe.At(layout.Options);
        if (_options.Of(options) is { } fields && options.Int64(fields.ResumeAt) is > 0 and var below)
            _facts.Add(WaitFactKey.ResumesBelow, below);
        _facts.Add(WaitFactKey.ReaderCompleted, pipe.Reference(layout.ReaderDone) != 0 ? 1 : 0);
    }
}
