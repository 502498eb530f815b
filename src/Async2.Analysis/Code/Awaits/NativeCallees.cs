using Async2.Analysis.Code.Modules;
using Async2.Analysis.Metadata.Awaits;

namespace Async2.Analysis.Code.Awaits;

/// <summary>The methods that native code may call at an await: the method named in IL, or, if that was inlined, what it awaits.</summary>
internal sealed class NativeCallees(LoadedModules modules)
{
    private const int DepthLimit = 4;
    private const string Helpers = "System.Runtime.CompilerServices.AsyncHelpers";

    private readonly Dictionary<(LoadedModule, int, CalleeName?), bool> _known = [];

    /// <param name="module">Module of the awaiting method.</param>
    /// <param name="isShared">The code may be shared by several instantiations: then any call may go through a lookup.</param>
    /// <param name="site">An await in the method's IL.</param>
    /// <param name="seen">An await in its native code.</param>
    public CallEvidence Compare(LoadedModule module, bool isShared, AwaitSite site, NativeAwait seen)
    {
        if (seen.Callee is not { } callee)
            return !seen.IsOpen || isShared || IsOpen(module, site) ? CallEvidence.Direct : CanLead(module, site, null, 0) ? CallEvidence.Inlined : CallEvidence.None;
        return CalleeComparer.CanCall(site, callee) ? CallEvidence.Direct
            : CanLead(module, site, callee, 0) ? CallEvidence.Inlined
            : CallEvidence.None;
    }

    // A call that depends on an object has no name.
    private bool Fits(LoadedModule module, AwaitSite site, CalleeName? callee)
        => callee is { } name ? CalleeComparer.CanCall(site, name) : IsOpen(module, site);

    private bool IsOpen(LoadedModule module, AwaitSite site) => site is { IsFused: true, Callee: { } named } && named.Dispatch switch
    {
        CallDispatch.Direct or CallDispatch.Constructor => false,
        CallDispatch.Unresolved => modules.Resolve(module, named) is not { Facts.CanBeOverridden: false },
        _ => true,
    };

    private bool CanLead(LoadedModule module, AwaitSite site, CalleeName? callee, int depth)
    {
        // The helpers are runtime-async themselves: Await of a configured task is little more than a call of UnsafeAwaitAwaiter.
        if (!site.IsFused)
            return callee is { Type: Helpers };
        if (depth >= DepthLimit || site.Callee is not { } named || modules.Resolve(module, named) is not { } body)
            return depth < DepthLimit;
        if (!body.Facts.IsRuntimeAsync)
            return false;
        var key = (body.Module, body.Facts.Token, callee);
        if (_known.TryGetValue(key, out bool known))
            return known;
        // Provisional entry: recursion ends here.
        _known[key] = false;
        return _known[key] = body.Module.AwaitSitesOf(body.Facts)
            .Any(inner => Fits(body.Module, inner, callee) || CanLead(body.Module, inner, callee, depth + 1));
    }
}

/// <summary>Whether an await in IL can end in a call of a given method.</summary>
internal static class CalleeComparer
{
    public static bool CanCall(AwaitSite site, CalleeName callee)
        => site is { IsFused: true, Callee: { } named } ? CanCall(named, callee) : IsSame(site.Helper, callee);

    /// <summary>Whether a call in IL can end in a given method.</summary>
    public static bool CanCall(CalleeRef named, CalleeName callee) => named.Dispatch switch
    {
        CallDispatch.Direct or CallDispatch.Constructor => IsSame(named, callee),
        CallDispatch.Delegate => false,
        // An override, or an implementation; explicit ones are called "Shop.IPay.PayAsync".
        _ => callee.Method == named.Name || callee.Method.EndsWith("." + named.Name, StringComparison.Ordinal),
    };

    private static bool IsSame(CalleeRef named, CalleeName callee) => named.Name == callee.Method && named.Type.FullName == callee.Type;
}

/// <summary>How well a native call matches an IL await.</summary>
internal enum CallEvidence
{
    /// <summary>This await cannot end in such a call.</summary>
    None,

    /// <summary>Possible if the method that it names was inlined.</summary>
    Inlined,

    /// <summary>It names the called method, or nothing contradicts it.</summary>
    Direct,
}
