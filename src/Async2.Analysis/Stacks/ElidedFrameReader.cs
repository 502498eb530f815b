using Async2.Analysis.Code;
using Async2.Analysis.Targets;

namespace Async2.Analysis.Stacks;

/// <summary>Shows the frames that the JIT left out between two physical ones.</summary>
internal sealed class ElidedFrameReader(ElidedFrameFinder finder, ProblemLog problems)
{
    /// <param name="caller">The outer frame.</param>
    /// <param name="deeper">The next deeper one; null for what the caller's native code calls.</param>
    /// <returns>Innermost first.</returns>
    public IReadOnlyList<LogicalFrame> Between(SuspensionPoint caller, SuspensionPoint? deeper)
    {
        AsyncMethod? below = deeper is null ? caller.CallTarget : deeper.Method;
        bool isOfRuntime = deeper is { WaitsForMethod: true };
        if (caller.Method is not { IsUserBody: true } || (below is null && !isOfRuntime))
            return [];
        ElidedFrames found = below is null ? finder.BelowRuntime(caller) : finder.Between(caller, below);
        if (found.IsGap)
        {
            problems.Add(ProblemCodes.ElidedFrames,
                $"the JIT elided frames between {caller.Method.Facts?.RawName} and {below?.Facts?.RawName ?? "what it waits for"} that its code does not tell fully");
        }
        return [.. found.Frames.Select(f => DefinitionFrame.Of(FrameKind.Elided, new(f.Module, f.Facts), f.Site, f.Exactness))];
    }
}
