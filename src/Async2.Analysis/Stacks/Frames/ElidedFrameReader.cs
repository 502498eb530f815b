using Async2.Analysis.Code.Elided;
using Async2.Analysis.Code.Modules;
using Async2.Analysis.Code.Suspension;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Targets.Contract;

namespace Async2.Analysis.Stacks.Frames;

/// <summary>Shows the frames that the JIT left out between two physical ones, and above the outermost one.</summary>
internal sealed class ElidedFrameReader(ElidedFrameFinder finder, ChainStarts starts, ProblemLog problems)
{
    private const int NamesShown = 4;

    /// <param name="caller">The outer frame.</param>
    /// <param name="deeper">The next deeper one; null for what the caller's native code calls.</param>
    /// <returns>Innermost first.</returns>
    public IReadOnlyList<ElidedPlace> Between(SuspensionPoint caller, SuspensionPoint? deeper)
    {
        AsyncMethod? below = deeper is null ? caller.CallTarget : deeper.Method;
        bool isOfRuntime = deeper is { WaitsForMethod: true };
        if (caller.Method is not { IsUserBody: true } || (below is null && !isOfRuntime))
            return [];
        ElidedFrames found = below is null ? finder.BelowRuntime(caller) : finder.Between(caller, below);
        if (found.IsGap)
        {
            problems.Add(ProblemCodes.ElidedFrames,
                $"the JIT elided frames between {caller.Method.Facts?.RawName} and {below?.Facts?.RawName ?? "what it waits for"}, and its code does not show all of them");
        }
        if (deeper is not null)
            ReportRepeated(deeper);
        return [.. found.Frames.Select(frame => new ElidedPlace(FrameOf(frame), frame))];
    }

    /// <param name="outermost">The last frame of a chain.</param>
    /// <returns>Innermost first.</returns>
    public IReadOnlyList<LogicalFrame> Above(SuspensionPoint outermost)
    {
        if (outermost.Method is not { } method)
            return [];
        MissingCallers missing = starts.Above(method);
        ReportRepeated(outermost);
        foreach (ElidedFrame frame in missing.Frames)
            ReportRepeated(new ModuleMethod(frame.Module, frame.Facts));
        if (missing.IsGap)
        {
            problems.Add(ProblemCodes.ElidedFrames,
                $"{NameOf(method)} was awaited by a method that ended with that await, so the JIT left no frame of it, and IL does not show which method it was{Names(missing, ": ")}");
            return [FrameNames.LeftOut];
        }
        if (missing.Possible.Count > 0)
        {
            problems.Add(ProblemCodes.PossiblyElided,
                $"{NameOf(method)} may have a caller that is not shown: a method that ends in an await of it leaves no frame in optimised code{Names(missing, " (")}{(missing.Possible.Count > 0 ? ")" : "")}");
        }
        return [.. missing.Frames.Select(FrameOf)];
    }

    // Where the body calls itself at an await, each call has a frame.
    private void ReportRepeated(SuspensionPoint frame)
    {
        if (frame is { Method: { IsUserBody: true, Facts: { } facts } method, BodyCalls.Count: > 0 } && !frame.BodyCalls.Any(call => call?.IsSameDefinition(method) == true))
            ReportRepeated(new ModuleMethod(method.Module, facts));
    }

    private void ReportRepeated(ModuleMethod method)
    {
        if (starts.Repeats(method))
        {
            problems.Add(ProblemCodes.PossiblyElided,
                $"{method.Facts.RawName} ends in an await of itself, which the JIT turned into a jump: it may be on the stack more often than shown");
        }
    }

    private static string NameOf(AsyncMethod method) => method.Facts?.RawName ?? "a method";

    private static string Names(MissingCallers missing, string before)
    {
        if (missing.Possible.Count == 0)
            return "";
        string names = string.Join(", ", missing.Possible.Take(NamesShown).Select(m => m.Facts.RawName));
        return before + names + (missing.Possible.Count > NamesShown ? ", ..." : "");
    }

    private static LogicalFrame FrameOf(ElidedFrame frame)
        => DefinitionFrame.Of(FrameKind.Elided, new(frame.Module, frame.Facts), frame.Site, frame.Exactness);
}

/// <summary>A frame that the JIT left out between two others.</summary>
/// <param name="Frame">As it is shown.</param>
/// <param name="Code">Where it stands; null if nobody knows.</param>
internal sealed record ElidedPlace(LogicalFrame Frame, ElidedFrame? Code);
