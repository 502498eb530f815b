using Async2.Analysis.Code.Awaits;
using Async2.Analysis.Code.DebugInfo;
using Async2.Analysis.Code.Modules;
using Async2.Analysis.Metadata.Awaits;
using Async2.Analysis.Metadata.IL;
using Async2.Analysis.Metadata.Symbols;
using Async2.Analysis.Model.Frames;

namespace Async2.Analysis.Code.Suspension;

/// <summary>
/// Which call in IL a native address belongs to. The JIT marks only where IL has nothing on its stack, so a statement that begins
/// with something on it has no mark of its own, and the mark before is that of another line; the optimiser moves calls behind marks
/// of other statements, too, and makes one of two. What is called tells more, if it is counted on both sides.
/// </summary>
/// <param name="bounds">Debug info of the body.</param>
/// <param name="flow">Control flow of the body.</param>
/// <param name="il">Control flow of the IL.</param>
/// <param name="sites">Calls in IL, in IL order.</param>
/// <param name="calls">Calls in native code; empty if it cannot be decoded.</param>
/// <param name="lineOf">Line of an IL offset.</param>
internal sealed class CallPlaces(
    ILMappingEntry[] bounds, NativeFlow flow, ILFlow il, IReadOnlyList<CallSite> sites, IReadOnlyList<NativeCall> calls, Func<int, SourceLine?> lineOf)
{
    private readonly ILMapping _marks = new(bounds, flow);
    private readonly ILRegions _regions = new(bounds, il);
    private readonly bool _isInOrder = IsInOrder(bounds);

    /// <summary>Where a frame is that executes an instruction.</summary>
    public ThreadPoint Running(uint native) => _marks.Of(native) is { Count: > 0 } marks ? InRegion(marks) : default;

    /// <summary>Where a frame is that called another one.</summary>
    /// <param name="returns">Offset behind the call.</param>
    /// <param name="called">The next deeper frame; null if it was not called from here directly.</param>
    public ThreadPoint Calling(uint returns, CalleeName? called)
    {
        if (returns == 0 || _marks.Of(returns - 1) is not { Count: > 0 } marks)
            return default;
        NativeCall? call = calls.FirstOrDefault(c => c.End == returns);
        var seen = new ObservedCall(call, call?.Callee ?? called, call?.Callee is not null, call?.IsOpen ?? calls.Count == 0, marks);
        CallSite[] matching = [.. sites.Where(site => IsCallOf(site, seen.Callee))];
        CallSite[] here = [.. matching.Where(site => IsIn(marks, site.ILOffset))];
        if (here.Length > 0)
            return Named(seen, matching, here);
        // The optimiser moved it, or something that was inlined calls the same.
        return matching.Length > 0 ? At(Nearest(matching, marks[0]), Exactness.Approximate) : Unnamed(seen);
    }

    private ThreadPoint Named(ObservedCall seen, CallSite[] matching, CallSite[] here)
    {
        CallSite[] possible = seen.IsNamed ? here : [.. sites.Where(site => IsIn(seen.Marks, site.ILOffset) && (IsOpen(site) || IsCallOf(site, seen.Callee)))];
        NativeCall[] same = [.. calls.Where(c => c.Callee == seen.Callee || (!seen.IsNamed && c.IsOpen))];
        NativeCall[] beside = [.. same.Where(c => _marks.Of(c.Offset).Intersect(seen.Marks).Any())];
        // More calls than IL has here: one was moved here, or inlined. Fewer than IL has at all: two became one.
        bool isCounted = beside.Length <= possible.Length && (matching.Length == here.Length || IsOneLine(matching) || same.Length >= matching.Length);
        if (isCounted && IsOneLine(possible))
            return At(here[0], Exactness.Exact);
        return seen.IsNamed && isCounted && _isInOrder && beside.Length == possible.Length
            ? At(possible[Array.IndexOf(beside, seen.Call)], Exactness.Order) : At(here[0], Exactness.Approximate);
    }

    // A delegate, a method that an object chose under another name, or what an inlined method calls.
    private ThreadPoint Unnamed(ObservedCall seen)
    {
        CallSite[] inside = [.. sites.Where(site => IsIn(seen.Marks, site.ILOffset))];
        if (inside.Length == 0 || seen.Callee is null)
            return InRegion(seen.Marks);
        CallSite[] open = seen.IsOpen ? [.. inside.Where(IsOpen)] : [];
        bool isCounted = open.Length == 0 ? !seen.IsOpen || !sites.Any(IsOpen)
            : calls.Count(c => c.IsOpen && _marks.Of(c.Offset).Intersect(seen.Marks).Any()) <= open.Length;
        return At(open.Length > 0 ? open[0] : inside[0], _isInOrder && isCounted && IsOneLine(inside) ? Exactness.Exact : Exactness.Approximate);
    }

    private ThreadPoint InRegion(IReadOnlyList<int> marks)
    {
        int first = marks[0];
        SourceLine? line = lineOf(first);
        bool isSure = _isInOrder && marks.All(mark => _regions.Of(mark).All(offset => IsSame(lineOf(offset), line)));
        return new(first, line, isSure ? Exactness.Exact : Exactness.Approximate);
    }

    private ThreadPoint At(CallSite site, Exactness exactness) => new(site.ILOffset, lineOf(site.ILOffset), exactness);

    private bool IsIn(IReadOnlyList<int> marks, int offset) => marks.Any(mark => _regions.Contains(mark, offset));

    private bool IsOneLine(CallSite[] of) => Array.TrueForAll(of, site => IsSame(lineOf(site.ILOffset), lineOf(of[0].ILOffset)));

    private static bool IsSame(SourceLine? one, SourceLine? other) => one?.Line == other?.Line && one?.Document == other?.Document;

    private static bool IsCallOf(CallSite site, CalleeName? callee) => callee is { } known && site.Callee is { } named && CalleeComparer.CanCall(named, known);

    private static bool IsOpen(CallSite site) => site.Callee?.Dispatch is not (CallDispatch.Direct or CallDispatch.Constructor);

    private static CallSite Nearest(CallSite[] of, int mark) => Array.Find(of, site => site.ILOffset >= mark) is { Callee: not null } behind ? behind : of[^1];

    // The quick compiler keeps the order of IL; where it is mixed up, the optimiser was at work.
    private static bool IsInOrder(ILMappingEntry[] bounds)
    {
        int highest = 0;
        foreach (ILMappingEntry bound in bounds)
        {
            if (bound.IL >= 0 && bound.IL < highest)
                return false;
            highest = Math.Max(highest, bound.IL);
        }
        return true;
    }

    // What is known of one native call; IsNamed: by the code itself, and not only by the next deeper frame.
    private readonly record struct ObservedCall(NativeCall? Call, CalleeName? Callee, bool IsNamed, bool IsOpen, IReadOnlyList<int> Marks);
}
