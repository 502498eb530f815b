using Async2.Analysis.Query;

namespace Async2.Analysis.Rendering;

/// <summary>One output format: a snapshot in, bytes out, the same bytes for the same snapshot.</summary>
public interface IRenderer
{
    /// <summary>What one types after <c>--format</c>.</summary>
    string Format { get; }

    /// <summary>Writes a snapshot in UTF-8 without a byte order mark.</summary>
    void Render(StackView snapshot, RenderOptions options, Stream output);
}
