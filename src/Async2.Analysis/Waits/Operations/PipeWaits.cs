using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Layouts.Waits;
using Async2.Analysis.Layouts;
using Async2.Analysis.Waits.Reading;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Waits.Operations;

/// <summary>Both ends of a System.IO.Pipelines.Pipe: a read that waits for bytes, a flush that waits for the reader.</summary>
internal sealed class PipeWaits(WaitReaderContext all) : IWaitFamily
{
    private readonly LayoutCache<PipeLayout> _pipes = all.Layouts(PipeLayout.Of);
    private readonly LayoutCache<PipeOptionsLayout> _options = all.Layouts(PipeOptionsLayout.Of);

    public WaitStepReader? ReaderOf(ClrType type)
        => PipeEndLayout.Of(type, all.PointerSize) is { } end ? address => new(Read(all.At(address).At(end.Pipe), end.IsReader)) : null;

    private WaitFacts Read(HeapObject pipe, bool isReader)
        => new(WaitFamily.Pipe, isReader ? "Pipe read" : "Pipe flush", _pipes.Of(pipe) is { } layout ? State(pipe, layout, isReader) : null, null, pipe.Address);

    private string? State(HeapObject pipe, PipeLayout layout, bool isReader)
    {
        if (pipe.Int64(layout.Unconsumed) is not { } bytes || bytes < 0)
            return null;
        string buffered = WaitText.Count(bytes, "byte") + " buffered";
        if (isReader)
        {
            string? wanted = pipe.Int32(layout.MinimumRead) is > 0 and var least ? FormattableString.Invariant($"{least} wanted") : null;
            return WaitText.Join(buffered, wanted, pipe.Reference(layout.WriterDone) != 0 ? "writer completed" : "writer open");
        }
        HeapObject options = pipe.At(layout.Options);
        string? resume = _options.Of(options) is { } fields && options.Int64(fields.ResumeAt) is > 0 and var below
            ? FormattableString.Invariant($"goes on below {below}")
            : null;
        return WaitText.Join(buffered, resume, pipe.Reference(layout.ReaderDone) != 0 ? "reader completed" : "reader open");
    }
}
