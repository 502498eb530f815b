using Async2.Analysis.Code.Modules;
using Async2.Analysis.Metadata.Awaits;

namespace Async2.Analysis.Code.Awaits;

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
