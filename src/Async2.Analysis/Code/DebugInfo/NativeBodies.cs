using Async2.Analysis.Layouts.Descriptions;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Memory;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Code.DebugInfo;

/// <summary>Native bodies of a target by addresses in them, and the JIT's debug info of each in the runtime's format.</summary>
/// <param name="target">The target.</param>
/// <param name="facts">Determine the format.</param>
internal sealed class NativeBodies(Target target, LayoutFacts facts)
{
    private readonly DebugInfoFormat _format = DebugInfoFormats.Of(facts);

    // The kind of bounds that a runtime without that contract writes, once a body has shown it.
    private DebugInfoFormat? _seen;

    // Threads of a pool wait at the same addresses.
    private readonly Dictionary<ulong, NativeBody?> _known = [];

    /// <summary>The body that contains an address; null if there is none.</summary>
    public NativeBody? Containing(ulong address)
    {
        if (!_known.TryGetValue(address, out NativeBody? body))
            _known[address] = body = NativeBody.Containing(address, target);
        return body;
    }

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

/// <summary>
/// One jitted body of a method. With tiering a method has several, and a chain may be suspended in one that is no longer
/// current, so a body is always looked up by an address inside it.
/// </summary>
/// <param name="Method">The method.</param>
/// <param name="Start">Address of the first instruction.</param>
/// <param name="Length">Bytes, with funclets.</param>
/// <param name="DebugInfo">Address of the compressed debug info; 0 if there is none.</param>
internal sealed record NativeBody(ClrMethod Method, ulong Start, int Length, ulong DebugInfo)
{
    /// <summary>Not the compiler-generated one: that would ask ClrMD for the method's name, which crashes the DAC.</summary>
    public override string ToString() => FormattableString.Invariant($"body 0x{Start:x}+{Length}");

    // The longest walk back from an address inside a body to its header: 1.6 MB of code.
    private const int WalkLimit = 200_000;

    /// <summary>The body that contains an address; null if no matching header is found.</summary>
    public static NativeBody? Containing(ulong address, Target target)
    {
        if (target.Runtime.GetMethodByInstructionPointer(address) is not { } method)
            return null;
        HotColdRegions regions = method.HotColdInfo;
        bool isCurrent = address >= regions.HotStart && address - regions.HotStart < regions.HotSize;
        if (isCurrent && At(regions.HotStart, method, target.Memory) is { } current)
            return current;
        // Code that was compiled ahead of time has no header to be found.
        return method.Type.Module is { } module && address - module.ImageBase < module.Size ? null : WalkBack(address, method, target.Memory);
    }

    private static NativeBody? WalkBack(ulong address, ClrMethod method, TargetMemory memory)
    {
        ulong start = address & ~7ul;
        for (int i = 0; i < WalkLimit && start > 8; i++, start -= 8)
        {
            if (At(start, method, memory) is { } body)
                return address - body.Start < (ulong)body.Length ? body : null;
        }
        return null;
    }

    private static NativeBody? At(ulong start, ClrMethod method, TargetMemory memory)
        => CodeHeaderLayout.TryReadHeader(memory, start, out ulong header)
            && CodeHeaderLayout.TryReadMethodDesc(memory, header, out ulong methodDesc) && methodDesc == method.MethodDesc
            && CodeHeaderLayout.Length(memory, header) is var length and > 0
            ? new NativeBody(method, start, length, CodeHeaderLayout.DebugInfo(memory, header))
            : null;
}

/// <summary>
/// The header in front of every jitted body: <c>*(code - 8)</c> points to a <c>RealCodeHeader</c>
/// (64-bit coreclr 10.0.12, src/coreclr/vm/codeman.h).
/// </summary>
internal static class CodeHeaderLayout
{
    // Programs have no memory above it: most words between two bodies are not addresses.
    private const ulong AddressEnd = 1ul << 48;
    private const int DebugInfoOffset = 0x00;
    private const int MethodDescOffset = 0x18;
    private const int UnwindCountOffset = 0x20;
    private const int FunctionsOffset = 0x24;
    private const int FunctionSize = 12;
    private const int MaximumFunctions = 1000;
    public const int MaximumLength = 16 * 1024 * 1024;

    /// <summary>The pointer to the header stands in front of the first instruction.</summary>
    public static bool TryReadHeader(TargetMemory memory, ulong codeStart, out ulong header)
        => memory.TryReadPointer(codeStart - 8, out header) && header is not 0 and < AddressEnd && header % 8 == 0;

    public static bool TryReadMethodDesc(TargetMemory memory, ulong header, out ulong methodDesc)
        => memory.TryReadPointer(header + MethodDescOffset, out methodDesc);

    /// <summary>Address of the compressed debug info, 0 when the body has none.</summary>
    public static ulong DebugInfo(TargetMemory memory, ulong header)
        => memory.TryReadPointer(header + DebugInfoOffset, out ulong address) ? address : 0;

    /// <summary>Length of the body with its funclets, from its unwind table; 0 when the table is invalid.</summary>
    public static int Length(TargetMemory memory, ulong header)
    {
        if (!memory.TryReadUInt32(header + UnwindCountOffset, out uint count) || count is 0 or > MaximumFunctions)
            return 0;
        uint low = uint.MaxValue, high = 0;
        for (uint i = 0; i < count; i++)
        {
            ulong function = header + FunctionsOffset + i * FunctionSize;
            if (!memory.TryReadUInt32(function, out uint begin) || !memory.TryReadUInt32(function + 4, out uint end))
                return 0;
            low = Math.Min(low, begin);
            high = Math.Max(high, end);
        }
        return high > low && high - low <= MaximumLength ? (int)(high - low) : 0;
    }
}
