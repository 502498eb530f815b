using System.Text;
using Async2.Analysis.Query;
using Async2.Analysis.Rendering;
using Async2.Analysis.Rendering.Formats;
using Async2.Analysis.Rendering.Text;

namespace Async2.Tests.Support;

/// <summary>What a renderer makes of a snapshot, as a string.</summary>
internal static class Rendered
{
    public static string Text(StackView snapshot, int? width = null, bool ascii = false, RenderOptions? options = null)
    {
        options = (options ?? new RenderOptions()) with { Text = writer => new PlainText(writer, new TextSurface(width, ascii)) };
        return Bytes(new TextRenderer(), snapshot, options);
    }

    public static string Json(StackView snapshot, RenderOptions? options = null) => Bytes(new JsonRenderer(), snapshot, options ?? new());

    private static string Bytes(IRenderer renderer, StackView snapshot, RenderOptions options)
    {
        using var stream = new MemoryStream();
        renderer.Render(snapshot, options, stream);
        return Encoding.UTF8.GetString(stream.ToArray());
    }
}
