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
        if (caller.Method is not { IsUserBody: true } || below is null)
            return [];
        ElidedFrames found = finder.Between(caller, below);
        if (found.IsGap)
        {
            problems.Add(ProblemCodes.ElidedFrames,
                $"the JIT elided frames between {caller.Method.Facts?.RawName} and {below.Facts?.RawName} that its code does not tell fully");
        }
        return [.. found.Frames.Select(FrameOf)];
    }

    private static LogicalFrame FrameOf(ElidedFrame elidedFrame)
    {
        var name = elidedFrame.Module.Metadata?.NameOf(elidedFrame.Facts.Token);
        var source = elidedFrame.Site is { } site ? elidedFrame.Module.Symbols.LineOf(elidedFrame.Facts.Token, site.ILOffset) : null;
        return new LogicalFrame
        {
            Kind = FrameKind.Elided,
            Method = name?.Full ?? FrameNames.OfToken(elidedFrame.Facts.Token),
            Type = name?.TypeName,
            Name = name?.Name,
            Module = elidedFrame.Module.FileName,
            File = source?.Document,
            Line = source?.Line,
            ILOffset = elidedFrame.Site?.ILOffset,
            AwaitNumber = elidedFrame.Site?.Ordinal + 1,
            Exactness = elidedFrame.Exactness,
        };
    }
}
