using Async2.Analysis.Model;

namespace Async2.Analysis.Query.Answers;

/// <summary>Asks a model: which stacks match, in groups, counted and in order. Reads nothing of the target but variables.</summary>
internal static class StackAnswer
{
    private const int CancellationInterval = 0xfff;

    /// <param name="model">What was read.</param>
    /// <param name="query">Which stacks.</param>
    /// <param name="options">How they are shown.</param>
    /// <param name="cancellation">When set, the answer has the stacks that were looked at by then, and is not complete.</param>
    /// <exception cref="QueryException">A pattern takes too long.</exception>
    public static StackView Of(AsyncModel model, StackQuery query, ViewOptions options, CancellationToken cancellation)
    {
        var groups = new StackGrouper(model, options.Coalesce, options.IncludeFramework);
        StackMatcher? matcher = query.IsFilter ? new(model, query, options.IncludeFramework) : null;
        // Whoever interrupted the reading wants to see what was read.
        bool canStop = !cancellation.IsCancellationRequested, isWhole = true;
        for (int stack = 0; stack < model.StackCount && isWhole; stack++)
        {
            bool isPlainThread = (model.Stacks.Rows[stack].Marks & StackMarks.IsPlainThread) != 0;
            if (!isPlainThread || (query.Thread is { } thread && model.ThreadOf(stack) == thread))
                groups.Add(stack, matcher is null || matcher.Matches(stack));
            isWhole = !canStop || (stack & CancellationInterval) != CancellationInterval || !cancellation.IsCancellationRequested;
        }
        IReadOnlyList<StackGroup> shown = groups.Finish();
        return new StackView
        {
            Target = model.Target,
            Totals = groups.Total.Totals,
            Matching = matcher is null ? null : new MatchingTotals(query.FilterText, groups.Wanted.Totals),
            Stacks = new StackAssembler(model, options).Assemble(shown, groups),
            Problems = isWhole ? model.Problems : model.Problems.Add(new(ProblemCodes.Interrupted, "the question was interrupted: this is what matched by then")),
            Complete = model.Complete && isWhole,
        };
    }
}
