using System.Collections.Immutable;
using Async2.Analysis.Model;

namespace Async2.Analysis.Query;

/// <summary>Whether stacks of a model match a query: the only place that applies a query.</summary>
internal sealed class StackMatcher
{
    private readonly ImmutableArray<Predicate<int>> _tests;

    /// <param name="model">The model.</param>
    /// <param name="query">The query.</param>
    /// <param name="includeFramework">Frames of the runtime are shown, and so searched, too.</param>
    /// <param name="anywhere">Each of these has to match some frame, or what the stack waits for.</param>
    public StackMatcher(AsyncModel model, StackQuery query, bool includeFramework, ImmutableArray<TextPattern> anywhere = default)
    {
        var stacks = new StackTests(model, includeFramework);
        _tests = [.. QueryOptionTable.Filters.SelectMany(option => option.TestsOf(query, stacks)), .. (anywhere.IsDefault ? [] : anywhere).Select(pattern => Anywhere(pattern, stacks))];
    }

    /// <summary>Whether a stack matches all filters.</summary>
    /// <exception cref="QueryException">A pattern takes too long.</exception>
    public bool Matches(int stack)
    {
        foreach (Predicate<int> test in _tests)
        {
            if (!test(stack))
                return false;
        }
        return true;
    }

    private static Predicate<int> Anywhere(TextPattern pattern, StackTests stacks)
    {
        Predicate<int> waits = stacks.WaitingFor(pattern), has = stacks.WithFrame(frame => FrameTests.IsAt(pattern, frame));
        return stack => waits(stack) || has(stack);
    }
}
