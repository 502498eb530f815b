using System.Collections.Immutable;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Model.Labels;
using Async2.Analysis.Model.Members;
using Async2.Analysis.Query;
using Async2.Analysis.Query.Answers;
using Async2.Analysis.Snapshots;

namespace Async2.Analysis;

/// <summary>A snapshot that was read from a file. It answers as the target did when it was taken; nothing is open.</summary>
public sealed class SavedSnapshot
{
    private readonly IFrameVariables? _variables;

    internal SavedSnapshot(AsyncModel model, IFrameVariables? variables) => (Model, _variables) = (model, variables);

    internal IFrameVariables? Variables => _variables;

    /// <summary>A model without variables, as if it had been written and read.</summary>
    public static SavedSnapshot Of(AsyncModel model) => new(model, null);

    /// <summary>All that was read of the target.</summary>
    public AsyncModel Model { get; }

    /// <summary>It was taken with variables.</summary>
    public bool HasLocals => _variables is not null;

    /// <summary>The stacks that options ask for. What concerns reading was decided when it was taken.</summary>
    /// <param name="options">Which stacks, and how they are shown.</param>
    /// <param name="cancellation">When set, the answer so far is returned, marked incomplete.</param>
    /// <exception cref="QueryException">A pattern takes too long.</exception>
    public StackView Ask(AnalysisOptions options, CancellationToken cancellation = default)
    {
        // It has what it was taken with, and can only show less.
        AsyncModel model = options.Values == ShownValues.None ? Redaction.Of(Model) : Model;
        StackView view = StackAnswer.Of(model, options.Query, options.ForView(options.Locals ? _variables : null), cancellation);
        return !options.Locals || HasLocals ? view
            : view with { Problems = view.Problems.Add(new(ProblemCodes.NoVariables, "the snapshot was taken without variables: none are shown")) };
    }

    /// <summary>What each of equal stacks has for itself, with the variables that the snapshot has.</summary>
    /// <inheritdoc cref="AnalyzedTarget.MembersOf"/>
    public EqualStacks MembersOf(LogicalStack stack, int start, int count, int read)
        => new GroupMembers(Model, new ViewOptions { Variables = _variables, Members = read }).Of(stack.Members, start, count);

    /// <summary>Arguments and locals of a frame; empty if it has none, or the snapshot has no variables.</summary>
    /// <param name="stack">One of an answer's.</param>
    /// <param name="frame">Index from the innermost frame.</param>
    public ImmutableArray<LocalValue> LocalsOf(LogicalStack stack, int frame)
        => stack.Frames.RowAt(frame) is { Address: not 0 } row && _variables is not null ? _variables.LocalsOf(row.Id, row.Address) : [];
}
