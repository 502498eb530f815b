using Async2.Analysis.Code.Awaits;
using Async2.Analysis.Code.Modules;
using Async2.Analysis.Metadata.Awaits;
using Async2.Analysis.Metadata.Signatures;

namespace Async2.Analysis.Code.Elided;

/// <summary>An await at the end of a method.</summary>
/// <param name="Method">The method.</param>
/// <param name="Site">The await.</param>
internal sealed record TailAwait(ModuleMethod Method, AwaitSite Site);

/// <summary>
/// All awaits at the end of methods in the user's modules, by what they await. Optimised code jumps to the awaited method
/// (RyuJIT 10.0.12), so the awaiting method is on no stack, physical or suspended. IL is read on first use.
/// </summary>
internal sealed class TailAwaits(LoadedModules modules)
{
    private const int MethodLimit = 50_000;

    private readonly Dictionary<string, List<TailAwait>> _byName = new(StringComparer.Ordinal);
    private bool _isRead;

    /// <summary>False if there are too many methods to read.</summary>
    public bool IsWhole { get; private set; } = true;

    /// <summary>Those that may await a method.</summary>
    /// <param name="module">The method's module; null for a helper of the runtime.</param>
    /// <param name="token">Its token.</param>
    /// <param name="name">Its name.</param>
    public IEnumerable<TailAwait> Of(LoadedModule? module, int token, CalleeName name)
    {
        if (!_isRead)
            Read();
        _isRead = true;
        string simple = name.Method[(name.Method.LastIndexOf('.') + 1)..];
        foreach (TailAwait tail in _byName.GetValueOrDefault(simple) ?? [])
        {
            if (IsOpen(tail) ? CalleeComparer.CanCall(tail.Site, name) : IsSame(tail, module, token, name))
                yield return tail;
        }
    }

    /// <summary>The awaited method depends on an object.</summary>
    public bool IsOpen(TailAwait tail) => tail.Site is { IsFused: true, Callee: { } callee } && callee.Dispatch switch
    {
        CallDispatch.Direct or CallDispatch.Constructor => false,
        CallDispatch.Unresolved => modules.Resolve(tail.Method.Module, callee) is not { Facts: { CanBeOverridden: false, IsDelegateInvoke: false } },
        _ => true,
    };

    private bool IsSame(TailAwait tail, LoadedModule? module, int token, CalleeName name)
    {
        if (tail.Site is not { IsFused: true, Callee: { } callee })
            return CalleeComparer.CanCall(tail.Site, name);
        return modules.Resolve(tail.Method.Module, callee) is { } target && target.Module == module && target.Facts.Token == token;
    }

    private void Read()
    {
        int left = MethodLimit;
        foreach (LoadedModule module in modules.OfUser())
        {
            foreach (int token in module.Metadata?.RuntimeAsyncMethods(left) ?? [])
            {
                left--;
                if (module.Metadata?.FactsOf(token) is { } facts)
                    Add(module, facts);
            }
        }
        IsWhole = left > 0;
    }

    private void Add(LoadedModule module, MethodFacts facts)
    {
        foreach (AwaitSite site in module.AwaitSitesOf(facts))
        {
            if (!site.IsTail)
                continue;
            string name = site is { IsFused: true, Callee: { } callee } ? callee.Name : site.Helper.Name;
            if (!_byName.TryGetValue(name, out List<TailAwait>? tails))
                _byName[name] = tails = [];
            tails.Add(new(new(module, facts), site));
        }
    }
}
