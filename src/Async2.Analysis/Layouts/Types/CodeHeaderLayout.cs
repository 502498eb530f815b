using Async2.Analysis.Targets.Memory;

namespace Async2.Analysis.Layouts.Types;

/// <summary>
/// The header in front of every jitted body: <c>*(code - 8)</c> points to a <c>RealCodeHeader</c>
/// (64-bit coreclr 10.0.12, src/coreclr/vm/codeman.h).
/// </summary>
internal static class CodeHeaderLayout
{
    private const int DebugInfoOffset = 0x00;
    private const int MethodDescOffset = 0x18;
    private const int UnwindCountOffset = 0x20;
    private const int FunctionsOffset = 0x24;
    private const int FunctionSize = 12;
    private const int MaximumFunctions = 1000;
    public const int MaximumLength = 16 * 1024 * 1024;

    /// <summary>The pointer to the header stands in front of the first instruction.</summary>
    public static bool TryReadHeader(TargetMemory memory, ulong codeStart, out ulong header)
        => memory.TryReadPointer(codeStart - 8, out header) && header != 0 && header % 8 == 0;

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
