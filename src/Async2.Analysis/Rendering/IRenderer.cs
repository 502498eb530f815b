using Async2.Analysis.Query;

namespace Async2.Analysis.Rendering;

/// <summary>One output format: an answer in, bytes out; the same bytes for the same answer.</summary>
public interface IRenderer
{
    /// <summary>Its name for <c>--format</c>.</summary>
    string Format { get; }

    /// <summary>Writes an answer in UTF-8 without a byte order mark.</summary>
    void Render(StackView snapshot, RenderOptions options, Stream output);
}
