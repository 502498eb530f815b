using Async2.Analysis.Code.Modules;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Metadata.Signatures;
using Async2.Analysis.Model.Frames;

namespace Async2.Analysis.Code.Elided;

/// <summary>The frames missing above the outermost frame of a chain.</summary>
/// <param name="Frames">Recovered frames, innermost first.</param>
/// <param name="IsGap">There is at least one that could not be determined.</param>
/// <param name="Possible">Methods that may be missing or not.</param>
internal sealed record MissingCallers(IReadOnlyList<ElidedFrame> Frames, bool IsGap, IReadOnlyList<ModuleMethod> Possible)
{
    public static MissingCallers None { get; } = new([], IsGap: false, []);
}

/// <summary>
/// Finds the method to which a chain's task belongs, if it has left no frame: it ended in an await, which the JIT turned into a jump. A missing
/// frame is proven if the outermost frame's method was never called for its task. Which method it is, follows from IL and from
/// the compiled methods if only one can have led there.
/// </summary>
internal sealed class ChainStarts(LoadedModules modules, CompiledMethods compiled)
{
    private const int DepthLimit = 16;
    private const int StepLimit = 2_000;

    private readonly TailAwaits _tails = new(modules);
    private readonly Dictionary<(LoadedModule, int), MissingCallers> _known = [];

    /// <param name="outermost">The method of a chain's outermost frame.</param>
    public MissingCallers Above(AsyncMethod outermost)
    {
        if (outermost.CalleeName is not { } name || outermost.Kind is not (AsyncMethodKind.Body or AsyncMethodKind.VariantThunk or AsyncMethodKind.Helper))
            return MissingCallers.None;
        if (!_known.TryGetValue((outermost.Module, outermost.Token), out MissingCallers? known))
            _known[(outermost.Module, outermost.Token)] = known = Find(outermost, name);
        return known;
    }

    /// <summary>Whether a method ends in an await of itself.</summary>
    public bool Repeats(ModuleMethod method)
        => _tails.Of(method.Module, method.Facts.Token, new(method.Facts.DeclaringType.FullName, method.Facts.RawName))
            .Any(tail => tail.Method.Module == method.Module && tail.Method.Facts.Token == method.Facts.Token && !_tails.IsOpen(tail));

    private MissingCallers Find(AsyncMethod outermost, CalleeName name)
    {
        bool? started = outermost is { IsUserBody: true, Facts: { } facts } ? compiled.IsStarted(new(outermost.Module, facts)) : false;
        var search = new Search(_tails, compiled);
        search.Walk(outermost.Module, outermost.Token, name, [], 0);
        if (started != false)
            return new([], IsGap: false, [.. search.Paths.Where(p => p.IsCompiled).Select(p => p.Frames[0].Method).Distinct()]);
        if (search.Paths.Count != 1 || !search.IsWhole || !_tails.IsWhole)
            return new([], IsGap: compiled.HasSeenThunk && search.Paths.Count > 0, [.. search.Paths.Select(p => p.Frames[^1].Method).Distinct()]);
        TailPath only = search.Paths[0];
        Exactness exactness = only.IsCompiled && !only.IsOpen ? Exactness.Exact : Exactness.Approximate;
        return new([.. only.Frames.Select(tail => new ElidedFrame(tail.Method.Module, tail.Method.Facts, tail.Site, exactness))], IsGap: false, []);
    }

    /// <summary>Methods that end in an await of the next one, innermost first.</summary>
    private sealed record TailPath(IReadOnlyList<TailAwait> Frames, bool IsOpen, bool IsCompiled);

    private sealed class Search(TailAwaits tails, CompiledMethods compiled)
    {
        private readonly HashSet<(LoadedModule, int)> _onPath = [];
        private int _steps;

        /// <summary>Each ends at a method that may have been called for its task.</summary>
        public List<TailPath> Paths { get; } = [];

        public bool IsWhole { get; private set; } = true;

        public void Walk(LoadedModule module, int token, CalleeName name, IReadOnlyList<TailAwait> path, int depth)
        {
            if (depth >= DepthLimit || ++_steps > StepLimit)
            {
                IsWhole = false;
                return;
            }
            // Recursion ends here.
            if (!_onPath.Add((module, token)))
                return;
            foreach (TailAwait tail in tails.Of(module, token, name))
            {
                if (compiled.LeavesByJump(tail.Method) == false || _onPath.Contains(tail.Method.Key))
                    continue;
                TailAwait[] longer = [.. path, tail];
                if (compiled.IsStarted(tail.Method) != false)
                    Paths.Add(new(longer, longer.Any(tails.IsOpen), compiled.LeavesByJump(tail.Method) == true));
                MethodFacts facts = tail.Method.Facts;
                Walk(tail.Method.Module, facts.Token, new CalleeName(facts.DeclaringType.FullName, facts.RawName), longer, depth + 1);
            }
            _onPath.Remove((module, token));
        }
    }
}
