namespace Async2.Analysis.Rendering.Text;

/// <summary>Text without colours, for files, pipes and tests. Lines end with a line feed on every system.</summary>
public sealed class PlainText : StyledText
{
    private readonly TextWriter _writer;

    /// <summary>Writes to a writer that the caller flushes and closes.</summary>
    public PlainText(TextWriter writer, TextSurface? look = null)
        : base(look ?? new TextSurface()) => _writer = writer;

    /// <inheritdoc/>
    public override void Line() => _writer.Write('\n');

    /// <inheritdoc/>
    protected override void Emit(TextRole role, string safe, string? link, int? line) => _writer.Write(safe);
}
