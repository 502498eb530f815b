using System.Globalization;
using Async2.Analysis.Layouts.Descriptions;

namespace Async2.Analysis.Code.DebugInfo;

/// <summary>How the JIT's debug info of a body is packed.</summary>
internal enum DebugInfoFormat
{
    /// <summary>A byte of flags before the header, sources of two bits (coreclr 10.0.12, src/coreclr/vm/debuginfostore.cpp).</summary>
    Flagged,

    /// <summary>
    /// As <see cref="Flagged"/>, with bounds of three nibble-coded numbers each (coreclr 8.0.31 and 9.0.20, DoBounds in
    /// src/coreclr/vm/debuginfostore.cpp).
    /// </summary>
    Nibbles,

    /// <summary>A fat or a slim header, sources of three bits, suspension points (dotnet/runtime, docs/design/datacontracts/DebugInfo.md).</summary>
    Chunked,
}

/// <summary>Determines the format by the runtime's contract <c>DebugInfo</c>.</summary>
internal static class DebugInfoFormats
{
    // Versions were numbers, and the second one is chunked; then they became strings with a new count, and c1 is the former 2.
    private const char NewCount = 'c';
    private const int FirstChunked = 2;

    public static DebugInfoFormat Of(LayoutFacts facts)
    {
        string? version = facts.Contract(AsyncLayoutParts.DebugInfo)?.Version;
        bool isChunked = version is { Length: > 0 } && (version[0] == NewCount
            || (int.TryParse(version, NumberStyles.None, CultureInfo.InvariantCulture, out int number) && number >= FirstChunked));
        return isChunked ? DebugInfoFormat.Chunked : DebugInfoFormat.Flagged;
    }
}
