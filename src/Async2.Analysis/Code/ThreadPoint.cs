using Async2.Analysis.Code.Metadata;
using Async2.Analysis.Targets;

namespace Async2.Analysis.Code;

/// <summary>Where a physical frame of a thread is.</summary>
/// <param name="ILOffset">Of the statement; null when the debug info does not say.</param>
/// <param name="Source">Its line.</param>
/// <param name="Exactness">Optimised code has marks only where statements begin, and moves them.</param>
internal readonly record struct ThreadPoint(int? ILOffset, SourceLine? Source, Exactness Exactness)
{
    /// <param name="method">The method.</param>
    /// <param name="address">Instruction pointer of the frame.</param>
    /// <param name="isInnermost">It is at this instruction; else it is the one after a call.</param>
    /// <param name="target">Where the code is.</param>
    public static ThreadPoint At(AsyncMethod method, ulong address, bool isInnermost, Target target)
    {
        ulong at = isInnermost ? address : address - 1;
        if (NativeBody.Containing(at, target) is not { } body)
            return default;
        uint offset = (uint)(at - body.Start);
        int? found = null;
        foreach (NativeBound bound in NativeDebugInfo.ReadBounds(target.Memory, body.DebugInfo))
        {
            if (bound.Native > offset)
                break;
            found = bound.IL >= 0 ? bound.IL : found;
        }
        return found is { } il ? new(il, method.Module.Symbols.LineOf(method.Token, il), Exactness.Approximate) : default;
    }
}
