using Async2.Analysis.Code.Awaits;
using Async2.Analysis.Code.Modules;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Metadata.Awaits;
using Async2.Analysis.Metadata.Signatures;
using Async2.Analysis.Model.Frames;

namespace Async2.Analysis.Code.Elided;

/// <summary>
/// The paths by which an elided method can have reached a physical frame: through one of its awaits directly, or through an await
/// of another method that was elided too.
/// </summary>
internal sealed class ElidedPaths(LoadedModules modules)
{
    private const int DepthLimit = 6;
    private const int StepLimit = 2000;
    private const int PathLimit = 2;

    private readonly Dictionary<(LoadedModule, int, ulong), (IReadOnlyList<IReadOnlyList<ElidedFrame>> Paths, bool Complete)> _known = [];

    /// <summary>Up to two paths, outermost frame first: one is a proof, two mean that the path is ambiguous.</summary>
    /// <param name="method">The elided method.</param>
    /// <param name="deeper">The physical frame at the end of the path.</param>
    /// <param name="complete">False if the target of an await cannot be determined from IL.</param>
    public IReadOnlyList<IReadOnlyList<ElidedFrame>> Find(ModuleMethod method, AsyncMethod deeper, out bool complete)
    {
        var key = (method.Module, method.Facts.Token, deeper.Method.MethodDesc);
        if (!_known.TryGetValue(key, out var known))
        {
            var search = new Search(modules, deeper);
            search.Walk(method.Module, method.Facts, [], 0);
            _known[key] = known = (search.Paths, search.Complete);
        }
        complete = known.Complete;
        return known.Paths;
    }

    /// <summary>Depth-first, bounded in depth and in steps; reaching a bound makes the answer incomplete.</summary>
    private sealed class Search(LoadedModules modules, AsyncMethod deeper)
    {
        private readonly HashSet<(LoadedModule, int)> _onPath = [];
        private int _steps;

        public List<IReadOnlyList<ElidedFrame>> Paths { get; } = [];

        public bool Complete { get; private set; } = true;

        public void Walk(LoadedModule module, MethodFacts facts, IReadOnlyList<ElidedFrame> path, int depth)
        {
            if (depth >= DepthLimit || !_onPath.Add((module, facts.Token)))
            {
                Complete = false;
                return;
            }
            foreach (AwaitSite site in module.AwaitSitesOf(facts))
            {
                if (Paths.Count >= PathLimit || ++_steps > StepLimit)
                {
                    Complete &= _steps <= StepLimit;
                    break;
                }
                Visit(module, site, [.. path, new ElidedFrame(module, facts, site, Exactness.Exact)], depth);
            }
            _onPath.Remove((module, facts.Token));
        }

        private void Visit(LoadedModule module, AwaitSite site, IReadOnlyList<ElidedFrame> path, int depth)
        {
            if (!site.IsFused || site.Callee is not { } callee)
            {
                if (deeper.Kind == AsyncMethodKind.Helper && deeper.CalleeName is { } helper && (CalleeComparer.CanCall(site, helper) || IsInsideAwait(site, helper)))
                    Paths.Add(path);
                return;
            }
            var target = modules.Resolve(module, callee);
            if (callee.IsDelegateInvoke || target is { Facts.IsDelegateInvoke: true })
                AddIfTaskOfItsOwn(path);
            else if (target is { } found && found.Module == deeper.Module && found.Facts.Token == deeper.Token)
                Paths.Add(path);
            else if (callee.Dispatch != CallDispatch.Direct && !(callee.Dispatch == CallDispatch.Unresolved && target is { Facts.CanBeOverridden: false }))
                VisitOpen(module, callee, path, depth);
            else if (target is { Facts.IsRuntimeAsync: true } inner)
                Walk(inner.Module, inner.Facts, path, depth + 1);
            else
                AddIfTaskOfItsOwn(path);
        }

        // Await of a configured task is little more than a call of UnsafeAwaitAwaiter, and is inlined.
        private static bool IsInsideAwait(AwaitSite site, CalleeName helper)
            => site is { Form: AwaitForm.Value, Helper.Name: "Await" } && helper is { Type: "System.Runtime.CompilerServices.AsyncHelpers", Method: "UnsafeAwaitAwaiter" };

        // The result of a delegate or an ordinary method is a task of its own, awaited by the runtime's helper.
        private void AddIfTaskOfItsOwn(IReadOnlyList<ElidedFrame> path)
        {
            if (deeper.Kind == AsyncMethodKind.Helper)
                Paths.Add(path);
        }

        // An override may be anything, including an elided body that leads to the deeper frame; the only one there is, is that one.
        private void VisitOpen(LoadedModule module, CalleeRef callee, IReadOnlyList<ElidedFrame> path, int depth)
        {
            if (modules.Open.OnlyBodyOf(module, callee) is { } only)
            {
                if (only.Module == deeper.Module && only.Facts.Token == deeper.Token)
                {
                    Paths.Add(path);
                    return;
                }
                if (only.Facts.IsRuntimeAsync)
                {
                    Walk(only.Module, only.Facts, path, depth + 1);
                    return;
                }
            }
            Complete = false;
            if (deeper.Facts is { } facts && facts.RawName == callee.Name)
                Paths.Add(path);
        }
    }
}
