using System.Collections.Immutable;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;

namespace Async2.Analysis.Query.Answers;

/// <summary>Applies a query to a model: which stacks match, grouped, counted and sorted. Reads nothing from the target but variables.</summary>
internal static class StackAnswer
{
    private const int CancellationInterval = 0xfff;

    /// <param name="model">The model.</param>
    /// <param name="query">The query.</param>
    /// <param name="options">How they are shown.</param>
    /// <param name="cancellation">When set, the answer has the stacks checked until then, and is not complete.</param>
    /// <exception cref="QueryException">A pattern takes too long.</exception>
    public static StackView Of(AsyncModel model, StackQuery query, ViewOptions options, CancellationToken cancellation)
    {
        var groups = new StackGrouper(model, options.Coalesce, options.IncludeFramework, query.GroupBy);
        StackMatcher? matcher = query.IsFilter ? new(model, query, options.IncludeFramework) : null;
        // After an interruption the user wants to see what was read.
        bool canStop = !cancellation.IsCancellationRequested, isWhole = true, hasTasks = false;
        for (int stack = 0; stack < model.StackCount && isWhole; stack++)
        {
            if (IsAskedFor(model, stack, query, options))
            {
                hasTasks |= (model.Stacks.Rows[stack].Flags & StackFlags.IsTask) != 0;
                groups.Add(stack, matcher is null || matcher.Matches(stack));
            }
            isWhole = !canStop || (stack & CancellationInterval) != CancellationInterval || !cancellation.IsCancellationRequested;
        }
        IReadOnlyList<StackGroup> shown = groups.Finish();
        // If tasks were requested and some are shown, there is something async.
        ImmutableArray<Problem> problems = hasTasks ? model.Problems.RemoveAll(problem => problem.Code == ProblemCodes.NoRuntimeAsync) : model.Problems;
        (ImmutableArray<LogicalStack> stacks, ViewGraph graph) = new StackAssembler(model, options, query.Sort).Assemble(shown, groups);
        return new StackView
        {
            Target = model.Target,
            Totals = groups.Total.Totals,
            Matching = matcher is null ? null : new MatchingTotals(query.FilterText, groups.Wanted.Totals),
            Stacks = stacks,
            Graph = graph,
            Notes = model.Notes,
            Findings = FindingIds.Of(model, groups),
            Problems = isWhole ? problems : problems.Add(new(ProblemCodes.Interrupted, "the query was interrupted: this is what matched until then")),
            Complete = model.Complete && isWhole,
        };
    }

    // Data read for other queries is part of no answer and no count, unless it is requested.
    private static bool IsAskedFor(AsyncModel model, int stack, StackQuery query, ViewOptions options)
    {
        StackRow row = model.Stacks.Rows[stack];
        if ((row.Flags & StackFlags.IsPlainThread) != 0)
            return query.Thread is { } thread && model.ThreadOf(stack) == thread;
        if ((row.Flags & StackFlags.IsTask) == 0)
            return true;
        return row.State != StackState.Completed ? options.PlainTasks
            : options.Completed && (options.PlainTasks || model.Places[model.Stacks.Shapes[row.Shape].Places[0]].Frame.Kind == FrameKind.StateMachine);
    }
}
