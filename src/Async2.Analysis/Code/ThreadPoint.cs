using Async2.Analysis.Code.Metadata;

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
    /// <param name="bodies">Where the code is.</param>
    public static ThreadPoint At(AsyncMethod method, ulong address, bool isInnermost, NativeBodies bodies)
    {
        ulong at = isInnermost ? address : address - 1;
        if (bodies.Containing(at) is not { } body)
            return default;
        NativeBound[] bounds = bodies.BoundsOf(body);
        int last = Array.FindLastIndex(bounds, b => b.Native <= (uint)(at - body.Start) && b.IL >= 0);
        return last < 0 ? default : new(bounds[last].IL, method.Module.Symbols.LineOf(method.Token, bounds[last].IL), ExactnessOf(bounds));
    }

    // The quick compiler keeps the order of IL; where it is mixed up, the optimiser was at work.
    private static Exactness ExactnessOf(NativeBound[] bounds)
    {
        int highest = 0;
        foreach (NativeBound bound in bounds)
        {
            if (bound.IL >= 0 && bound.IL < highest)
                return Exactness.Approximate;
            highest = Math.Max(highest, bound.IL);
        }
        return Exactness.Exact;
    }
}
