using System.Collections.Immutable;
using Async2.Analysis.Rendering.Exports;

namespace Async2.Analysis.Rendering.Formats;

/// <summary>All output formats. A new one is a file and a line here.</summary>
public static class Renderers
{
    /// <summary>In help order; the first is the default.</summary>
    public static ImmutableArray<IRenderer> All { get; } = [new TextRenderer(), new JsonRenderer(), new HtmlRenderer(), new SarifRenderer(), new NdjsonRenderer(), new CollapsedRenderer(), new SpeedscopeRenderer(), new DotRenderer(), new MermaidRenderer()];

    /// <summary>The renderer of a format, or null.</summary>
    public static IRenderer? Find(string format) => All.FirstOrDefault(renderer => renderer.Format == format);
}
