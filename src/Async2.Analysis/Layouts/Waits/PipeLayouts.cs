using Async2.Analysis.Layouts.Types;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Layouts.Waits;

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
/// <param name="Unconsumed">long, bytes that were flushed and not consumed.</param>
/// <param name="WriterDone">Not null when the writer has completed.</param>
/// <param name="ReaderDone">Not null when the reader has completed.</param>
/// <param name="Options">PipeOptions.</param>
/// <param name="MinimumRead">int, bytes that ReadAtLeast wants.</param>
internal sealed record PipeLayout(int Unconsumed, int WriterDone, int ReaderDone, int Options, int MinimumRead)
{
    public static PipeLayout? Of(ClrType type, int pointerSize)
        => FieldOffsets.Find(type, pointerSize, "_unconsumedBytes", "_options", "_minimumReadBytes") is { } fields
            && FieldPath.Find(type, pointerSize, "_writerCompletion", "_state") is { } writer
            && FieldPath.Find(type, pointerSize, "_readerCompletion", "_state") is { } reader
            ? new(fields["_unconsumedBytes"], writer, reader, fields["_options"], fields["_minimumReadBytes"])
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
