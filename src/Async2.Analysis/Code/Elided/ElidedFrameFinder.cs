using Async2.Analysis.Code.Awaits;
using Async2.Analysis.Code.Modules;
using Async2.Analysis.Code.Suspension;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Metadata.Awaits;
using Async2.Analysis.Metadata.Signatures;
using Async2.Analysis.Model.Frames;

namespace Async2.Analysis.Code.Elided;

/// <summary>
/// Recovers frames between a caller and the next deeper physical frame. The caller's IL says which method it awaits. If that is
/// a runtime-async method and not the deeper frame, it must be on the stack in between; its place follows from its IL if
/// only one of its awaits can lead to the deeper frame.
/// </summary>
internal sealed class ElidedFrameFinder(LoadedModules modules)
{
    private readonly ElidedPaths _paths = new(modules);

    /// <param name="caller">The outer frame.</param>
    /// <param name="deeper">The physical frame it waits for, or, if it is the innermost, the method that its native code calls.</param>
    public ElidedFrames Between(SuspensionPoint caller, AsyncMethod deeper)
    {
        if (caller.Method is not { } from || caller.Site is not { IsFused: true, Callee: { } callee }
            || caller.Exactness < Exactness.Order || modules.Resolve(from.Module, callee) is not { } awaited)
            return ElidedFrames.None;
        if (IsSame(awaited, deeper))
            return ElidedFrames.None;
        if (IsOpen(callee, awaited.Facts))
            return IsOtherMember(callee, deeper) ? ByOnlyBody(from.Module, callee, deeper) : ElidedFrames.None;
        // An ordinary method returned a task; it is not a frame.
        if (!awaited.Facts.IsRuntimeAsync)
            return ElidedFrames.None;
        return ByNeighbours(caller, awaited, deeper) ?? ByPaths(awaited, deeper);
    }

    /// <summary>The same if the deeper frame is a continuation that .NET 11 made by hand, to wait for a task: any method may have awaited that.</summary>
    public ElidedFrames BelowRuntime(SuspensionPoint caller)
        => caller is { Method: { } from, Site: { IsFused: true, Callee: { } callee }, Exactness: >= Exactness.Order }
            && modules.Resolve(from.Module, callee) is { Facts.IsRuntimeAsync: true } awaited && !IsOpen(callee, awaited.Facts)
            ? new([Certain(awaited)], IsGap: true)
            : ElidedFrames.None;

    // An interface of the program that has one body ends in that one, if it leads to the deeper frame.
    private ElidedFrames ByOnlyBody(LoadedModule from, CalleeRef callee, AsyncMethod deeper)
        => modules.Open.OnlyBodyOf(from, callee) is { Facts.IsRuntimeAsync: true } only && ByPaths(only, deeper) is { IsGap: false } found ? found : new([], IsGap: true);

    private ElidedFrames ByPaths(ModuleMethod awaited, AsyncMethod deeper)
    {
        IReadOnlyList<IReadOnlyList<ElidedFrame>> paths = _paths.Find(awaited, deeper, out bool complete);
        // The awaited method itself is certain, even if its place is not.
        return paths.Count == 1 ? new([.. (complete ? paths[0] : Proven(paths[0])).Reverse()], IsGap: false) : new([Certain(awaited)], IsGap: true);
    }

    // Of a way that may not be the only one, what is certain is the first method, and each next one if the one before has no other await.
    private static IEnumerable<ElidedFrame> Proven(IReadOnlyList<ElidedFrame> path)
    {
        bool isProven = true;
        foreach (ElidedFrame frame in path)
        {
            isProven &= frame.Module.AwaitSitesOf(frame.Facts).Count == 1;
            yield return isProven ? frame : frame with { Exactness = Exactness.Approximate };
        }
    }

    // It is on the stack. With one await it stands there.
    private static ElidedFrame Certain(ModuleMethod awaited)
        => awaited.Module.AwaitSitesOf(awaited.Facts) is [var only] ? new(awaited.Module, awaited.Facts, only, Exactness.Exact) : new(awaited.Module, awaited.Facts, null, Exactness.None);

    /// <summary>
    /// An inlined method leaves one native await for each of its own in the caller's range of IL, in its order: if their
    /// callees agree pairwise, the position determines the await.
    /// </summary>
    private static ElidedFrames? ByNeighbours(SuspensionPoint caller, ModuleMethod awaited, AsyncMethod deeper)
    {
        IReadOnlyList<AwaitSite> sites = awaited.Module.AwaitSitesOf(awaited.Facts);
        if (caller.Position < 0 || sites.Count < 2 || sites.Count != caller.Neighbours.Count || deeper.CalleeName is not { } deeperName)
            return null;
        for (int i = 0; i < sites.Count; i++)
        {
            if (caller.Neighbours[i] is not { } name || !CalleeComparer.CanCall(sites[i], name))
                return null;
        }
        return CalleeComparer.CanCall(sites[caller.Position], deeperName)
            ? new([new ElidedFrame(awaited.Module, awaited.Facts, sites[caller.Position], Exactness.Order)], IsGap: false)
            : null;
    }

    private static bool IsSame(ModuleMethod awaited, AsyncMethod deeper)
        => awaited.Module == deeper.Module && awaited.Facts.Token == deeper.Token;

    private static bool IsOpen(CalleeRef callee, MethodFacts facts) => callee.Dispatch switch
    {
        CallDispatch.Direct or CallDispatch.Constructor => false,
        CallDispatch.Unresolved => facts.CanBeOverridden || facts.IsDelegateInvoke,
        _ => true,
    };

    // Through an interface or an override, some body of that name must run. A deeper frame with another name means that the body
    // was elided, unless the body is not an async method: then the runtime's own leaf or another chain follows, and nothing is lost.
    private static bool IsOtherMember(CalleeRef callee, AsyncMethod deeper)
        => callee.Dispatch is not CallDispatch.Delegate && !callee.IsDelegateInvoke
            && deeper.Kind is AsyncMethodKind.Body or AsyncMethodKind.VariantThunk
            && deeper.Facts is { } facts && facts.RawName != callee.Name
            && !facts.RawName.EndsWith("." + callee.Name, StringComparison.Ordinal);
}
