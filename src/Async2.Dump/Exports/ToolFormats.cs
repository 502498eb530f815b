using System.Collections.Immutable;
using Async2.Analysis.Rendering;
using Async2.Analysis.Rendering.Formats;

namespace Async2.Dump.Exports;

/// <summary>All values of <c>--format</c>: those of the library, and what takes a library of its own to write.</summary>
internal static class ToolFormats
{
    private static readonly PprofRenderer Pprof = new();

    /// <summary>In help order; the first is the default.</summary>
    public static ImmutableArray<IRenderer> All { get; } = [.. Renderers.All, Pprof];

    /// <summary>The renderer of a format.</summary>
    public static IRenderer Of(string format) => All.First(renderer => renderer.Format == format);

    /// <summary>Whether its bytes are not text.</summary>
    public static bool IsBinary(string format) => format == Pprof.Format;
}
