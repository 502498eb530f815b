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
        if (_known.TryGetValue(KeyOf(method), out bool known))
            return known;
        var seen = new HashSet<(LoadedModule, int)> { KeyOf(method) };
        var open = new Stack<ModuleMethod>([method]);
        while (open.TryPop(out ModuleMethod? next))
        {
            if (_known.TryGetValue(KeyOf(next), out bool may) ? may : Releases(next))
                return _known[KeyOf(method)] = true;
            if (summaries.CodeOf(next) is not { } code || _known.ContainsKey(KeyOf(next)))
                continue;
            foreach (ModuleMethod called in code.Callees().Select(callee => summaries.Resolve(code.Method.Module, callee)).OfType<ModuleMethod>().Where(called => seen.Add(KeyOf(called))))
                open.Push(called);
        }
        // Methods that call each other are all seen.
        foreach ((LoadedModule, int) none in seen)
            _known[none] = false;
        return false;
    }

    private bool Releases(ModuleMethod method)
        => summaries.Own.RoleOf(method) == LockRole.Releases || summaries.CodeOf(method)?.Callees().Any(LockCalls.IsRelease) == true;

    private static (LoadedModule, int) KeyOf(ModuleMethod method) => (method.Module, method.Facts.Token);
}
