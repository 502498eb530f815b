using Async2.Analysis.Layouts.Descriptions;
using Async2.Analysis.Targets;

namespace Async2.Analysis.Code.DebugInfo;

/// <summary>Native bodies of a target by addresses in them, and the JIT's debug info of each in the runtime's format.</summary>
/// <param name="target">The target.</param>
/// <param name="facts">Determine the format.</param>
internal sealed class NativeBodies(Target target, LayoutFacts facts)
{
    private readonly DebugInfoFormat _format = DebugInfoFormats.Of(facts);

    // The kind of bounds that a runtime without that contract writes, once a body has shown it.
    private DebugInfoFormat? _seen;

    /// <summary>The body that contains an address; null if there is none.</summary>
    public NativeBody? Containing(ulong address) => NativeBody.Containing(address, target);

    /// <summary>In native order; empty if there is no debug info or it is invalid.</summary>
    public ILMappingEntry[] BoundsOf(NativeBody body) => NativeDebugInfo.ReadBounds(target.Memory, body.DebugInfo, FormatOf(body));

    /// <summary>Places of variables; empty if there is no debug info or it is invalid.</summary>
    public NativeVariable[] VariablesOf(NativeBody body) => NativeDebugInfo.ReadVariables(target.Memory, body.DebugInfo, _format);

    private DebugInfoFormat FormatOf(NativeBody body)
    {
        if (_format != DebugInfoFormat.Flagged)
            return _format;
        _seen ??= NativeDebugInfo.FormatOf(target.Memory, body.DebugInfo);
        return _seen ?? _format;
    }

    /// <summary>Suspension points by state; empty if the JIT recorded none.</summary>
    public AsyncPoint[] AsyncPointsOf(NativeBody body)
        => _format == DebugInfoFormat.Chunked ? NativeDebugInfo.ReadAsyncPoints(target.Memory, body.DebugInfo, _format) : [];
}
