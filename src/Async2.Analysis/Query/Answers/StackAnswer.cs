using System.Collections.Immutable;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;

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
        bool canStop = !cancellation.IsCancellationRequested, isWhole = true, hasTasks = false;
        for (int stack = 0; stack < model.StackCount && isWhole; stack++)
        {
            if (IsAskedFor(model, stack, query, options))
            {
                hasTasks |= (model.Stacks.Rows[stack].Marks & StackMarks.IsTask) != 0;
                groups.Add(stack, matcher is null || matcher.Matches(stack));
            }
            isWhole = !canStop || (stack & CancellationInterval) != CancellationInterval || !cancellation.IsCancellationRequested;
        }
        IReadOnlyList<StackGroup> shown = groups.Finish();
        // Whoever asked for tasks and sees some knows that something is there.
        ImmutableArray<Problem> problems = hasTasks ? model.Problems.RemoveAll(problem => problem.Code == ProblemCodes.NoRuntimeAsync) : model.Problems;
        (ImmutableArray<LogicalStack> stacks, ViewGraph graph) = new StackAssembler(model, options).Assemble(shown, groups);
        return new StackView
        {
            Target = model.Target,
            Totals = groups.Total.Totals,
            Matching = matcher is null ? null : new MatchingTotals(query.FilterText, groups.Wanted.Totals),
            Stacks = stacks,
            Graph = graph,
            Problems = isWhole ? problems : problems.Add(new(ProblemCodes.Interrupted, "the query was interrupted: this is what matched until then")),
            Complete = model.Complete && isWhole,
        };
    }

    // What may have been read for others is part of no answer, and of no count, unless it is asked for.
    private static bool IsAskedFor(AsyncModel model, int stack, StackQuery query, ViewOptions options)
    {
        StackRow row = model.Stacks.Rows[stack];
        if ((row.Marks & StackMarks.IsPlainThread) != 0)
            return query.Thread is { } thread && model.ThreadOf(stack) == thread;
        if ((row.Marks & StackMarks.IsTask) == 0)
            return true;
        return row.State != StackState.Completed ? options.PlainTasks
            : options.Completed && (options.PlainTasks || model.Places[model.Stacks.Shapes[row.Shape].Places[0]].Frame.Kind == FrameKind.StateMachine);
    }
}
