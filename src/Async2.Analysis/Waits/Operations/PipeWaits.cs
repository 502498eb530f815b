using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Model;
using Async2.Analysis.Waits.Reading;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Waits.Operations;

/// <summary>Both ends of a System.IO.Pipelines.Pipe: a read that waits for bytes, a flush that waits for the reader.</summary>
internal sealed class PipeWaits(WaitReaderContext all) : IWaitFamily<PipeWaits>
{
    public static IReadOnlyList<KnownWait> Names { get; } =
    [
        new("System.IO.Pipelines.", WaitKind.Pipe, null),
    ];

    private readonly LayoutCache<PipeLayout> _pipes = all.Layouts(PipeLayout.Of);
    private readonly LayoutCache<PipeOptionsLayout> _options = all.Layouts(PipeOptionsLayout.Of);
    private readonly WaitFactList _facts = new();

    public static PipeWaits Open(WaitReaderContext all) => new(all);

    public WaitStepReader? ReaderOf(ClrType type)
        => PipeEndLayout.Of(type, all.PointerSize) is { } end ? address => new(OfPipe(all.At(address).At(end.Pipe), end.IsReader)) : null;

    /// <summary>A wait at one of its ends.</summary>
    public WaitReason OfPipe(HeapObject pipe, bool isReader)
    {
        if (_pipes.Of(pipe) is { } layout)
            AddState(pipe, layout, isReader);
        return new(WaitKind.Pipe, "Pipe", isReader ? WaitAction.Read : WaitAction.Flush) { Resource = pipe.Address, Shared = _facts.Take() };
    }

    private void AddState(HeapObject pipe, PipeLayout layout, bool isReader)
    {
        if (pipe.Int64(layout.Unexamined) is not { } bytes || bytes < 0)
            return;
        if (isReader)
        {
            long kept = Math.Max(bytes, BufferedIn(pipe) ?? 0);
            _facts.Add(WaitFactKey.Buffered, kept);
            if (kept > 0 && bytes == 0)
                _facts.Add(WaitFactKey.Examined);
            if (pipe.Int32(layout.MinimumRead) is > 0 and var least)
                _facts.Add(WaitFactKey.Wanted, least);
            _facts.Add(WaitFactKey.WriterCompleted, pipe.Reference(layout.WriterDone) != 0 ? 1 : 0);
            all.Tokens.AddRegistration(_facts, pipe, layout.ReaderToken);
            return;
        }
        // Bytes that the reader has examined and left there keep no writer waiting.
        _facts.Add(WaitFactKey.Buffered, bytes);
        HeapObject options = pipe.At(layout.Options);
        if (_options.Of(options) is { } fields && options.Int64(fields.ResumeAt) is > 0 and var below)
            _facts.Add(WaitFactKey.ResumesBelow, below);
        _facts.Add(WaitFactKey.ReaderCompleted, pipe.Reference(layout.ReaderDone) != 0 ? 1 : 0);
        all.Tokens.AddRegistration(_facts, pipe, layout.WriterToken);
    }

    // From the first byte that was not consumed to the last that was written.
    private long? BufferedIn(HeapObject pipe)
        => PositionOf(pipe, "_readHead", "_readHeadIndex") is { } first && PositionOf(pipe, "_readTail", "_readTailIndex") is { } last && last >= first ? last - first : null;

    private long? PositionOf(HeapObject pipe, string segment, string index)
        => all.Fields.Int64(all.Fields.Follow(pipe, segment), ObjectFields.Behind("RunningIndex")) is { } begin && all.Fields.Int32(pipe, index) is { } inside ? begin + inside : null;
}

/// <summary><c>Pipe+DefaultPipeReader</c> or <c>DefaultPipeWriter</c>: one end of a pipe (System.IO.Pipelines 10.0.12).</summary>
/// <param name="Pipe">The pipe.</param>
/// <param name="IsReader">It is the end that reads.</param>
internal sealed record PipeEndLayout(int Pipe, bool IsReader)
{
    private const string Reader = "System.IO.Pipelines.Pipe+DefaultPipeReader";
    private const string Writer = "System.IO.Pipelines.Pipe+DefaultPipeWriter";

    public static PipeEndLayout? Of(ClrType type, int pointerSize)
        => type.Name is Reader or Writer && FieldPath.Find(type, pointerSize, "_pipe") is { } pipe ? new(pipe, type.Name == Reader) : null;
}

/// <summary><c>System.IO.Pipelines.Pipe</c>.</summary>
/// <param name="Unexamined">long, bytes that were flushed and not examined: <c>_unconsumedBytes</c>, in spite of its name (AdvanceReader).</param>
/// <param name="WriterDone">Not null if the writer has completed.</param>
/// <param name="ReaderDone">Not null if the reader has completed.</param>
/// <param name="Options">PipeOptions.</param>
/// <param name="MinimumRead">int, bytes that ReadAtLeast wants.</param>
/// <param name="WriterToken">Node of the registration with the token that a flush was given; null if there is no such field.</param>
/// <param name="ReaderToken">The same of a read.</param>
internal sealed record PipeLayout(int Unexamined, int WriterDone, int ReaderDone, int Options, int MinimumRead, int? WriterToken, int? ReaderToken)
{
    public static PipeLayout? Of(ClrType type, int pointerSize)
        => FieldOffsets.Find(type, pointerSize, "_unconsumedBytes", "_options", "_minimumReadBytes") is { } fields
            && FieldPath.Find(type, pointerSize, "_writerCompletion", "_state") is { } writer
            && FieldPath.Find(type, pointerSize, "_readerCompletion", "_state") is { } reader
            ? new(fields["_unconsumedBytes"], writer, reader, fields["_options"], fields["_minimumReadBytes"],
                FieldPath.Find(type, pointerSize, "_writerAwaitable", "_cancellationTokenRegistration", "_node"), FieldPath.Find(type, pointerSize, "_readerAwaitable", "_cancellationTokenRegistration", "_node"))
            : null;
}

/// <summary><c>System.IO.Pipelines.PipeOptions</c>.</summary>
/// <param name="PauseAt">long, bytes at which a flush waits.</param>
/// <param name="ResumeAt">long, bytes below which it goes on.</param>
internal sealed record PipeOptionsLayout(int PauseAt, int ResumeAt)
{
    public static PipeOptionsLayout? Of(ClrType type, int pointerSize)
    {
        const string pause = "<PauseWriterThreshold>k__BackingField", resume = "<ResumeWriterThreshold>k__BackingField";
        return FieldOffsets.Find(type, pointerSize, pause, resume) is { } fields ? new(fields[pause], fields[resume]) : null;
    }
}
