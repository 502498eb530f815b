using Async2.Analysis.Code.Modules;

namespace Async2.Analysis.Holders.Flow;

/// <summary>
/// Which methods may release a lock, because they, or methods that they call, call one that does. Most do not, and need not be run to know it: that takes many times as long.
/// </summary>
/// <param name="summaries">Code of methods, and which method a call names.</param>
internal sealed class ReleasingMethods(MethodSummaries summaries)
{
    private readonly Dictionary<(LoadedModule Module, int Token), bool> _known = [];

    /// <summary>False if its summary has no releases.</summary>
    public bool Has(ModuleMethod method)
    {
        if (_known.TryGetValue(method.Key, out bool known))
            return known;
        var seen = new HashSet<(LoadedModule, int)> { method.Key };
        var open = new Stack<ModuleMethod>([method]);
        while (open.TryPop(out ModuleMethod? next))
        {
            bool isKnown = _known.TryGetValue(next.Key, out bool may);
            if (isKnown ? may : Releases(next))
                return _known[method.Key] = true;
            if (isKnown || summaries.CodeOf(next) is not { } code)
                continue;
            foreach (ModuleMethod called in code.Callees().Select(callee => summaries.Resolve(code.Method.Module, callee)).OfType<ModuleMethod>().Where(called => seen.Add(called.Key)))
                open.Push(called);
        }
        // Methods that call each other are all seen.
        foreach ((LoadedModule, int) none in seen)
            _known[none] = false;
        return false;
    }

    private bool Releases(ModuleMethod method)
        => summaries.Own.RoleOf(method) == LockRole.Releases || summaries.CodeOf(method)?.Callees().Any(LockCalls.IsRelease) == true;
}
