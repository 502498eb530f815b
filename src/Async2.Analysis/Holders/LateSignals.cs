using Async2.Analysis.Code.Modules;
using Async2.Analysis.Holders.Flow;
using Async2.Analysis.Targets;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Holders;

/// <summary>
/// Callbacks that signal a CountdownEvent or a Barrier, or take out of a BlockingCollection, whichever: delegates of timers, queued work, threads that have not begun. What no root
/// reaches calls nothing any more. Only asked before an event is called one that nobody signals, because it reads all objects.
/// </summary>
/// <param name="target">The target.</param>
/// <param name="objects">Lists objects.</param>
/// <param name="modules">Its modules.</param>
/// <param name="summaries">What methods signal.</param>
/// <param name="delegates">What delegates call.</param>
/// <param name="use">What the callbacks do.</param>
/// <param name="findDead">Finds those objects that no root reaches.</param>
/// <param name="running">How many frames of a method stand on threads that were started for it: as many of its delegates are in use, and nobody else calls these.</param>
internal sealed class LateSignals(Target target, IAllObjects objects, LoadedModules modules, MethodSummaries summaries, DelegateTargets delegates, FrameUse use, Func<IReadOnlyList<ulong>, IReadOnlySet<ulong>> findDead, IReadOnlyDictionary<(LoadedModule Module, int Token), int> running)
{
    // Who has one takes with it, in code that does not say out of what.
    private const string Enumerator = "+<GetConsumingEnumerable>";

    private readonly WorkLimit _limit = new(TimeSpan.FromSeconds(2));
    private bool? _mayCome;

    /// <summary>There is such a callback, or that is not known.</summary>
    public bool MayCome => _mayCome ??= Search();

    private bool Search()
    {
        HashSet<(LoadedModule, int)> methods = [.. modules.TypesOfUser().SelectMany(type => type.Module.MethodsOf(type.Type))
            .Where(method => summaries.Of(method, 0).Uses[use].Any(symbol => !QueueCalls.IsMade(symbol))).Select(method => method.Key)];
        if (methods.Count > 0 && !target.Origin.CanSearchHeap())
            return true;
        var found = new List<(ulong Address, (LoadedModule Module, int Token)? Method)>();
        var kinds = new Dictionary<ClrType, (bool IsDelegate, bool IsEnumerator)>();
        bool IsWanted(ClrType type)
        {
            (bool IsDelegate, bool IsEnumerator) kind = kinds[type] = (DelegateTargets.IsDelegate(type), use == FrameUse.Takes && type.Name?.Contains(Enumerator, StringComparison.Ordinal) == true);
            return kind.IsDelegate || kind.IsEnumerator;
        }
        foreach ((ulong address, ClrType type) in methods.Count == 0 ? [] : objects.Of(IsWanted))
        {
            if (_limit.IsOver)
                return true;
            if (kinds[type].IsEnumerator)
                found.Add((address, null));
            else if (delegates.MethodOf(address) is { } method && methods.Contains(method.Key))
                found.Add((address, method.Key));
        }
        if (_limit.IsOver || found.Count == 0)
            return _limit.IsOver;
        IReadOnlySet<ulong> dead = findDead([.. found.Select(one => one.Address)]);
        return found.Where(one => !dead.Contains(one.Address)).GroupBy(one => one.Method).Any(group => group.Key is not { } method || group.Count() > running.GetValueOrDefault(method));
    }
}
