using System.Collections.Immutable;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Model.Members;
using Async2.Analysis.Query;
using Async2.Analysis.Query.Answers;
using Async2.Analysis.Surveys;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;

namespace Async2.Analysis;

/// <summary>
/// A target whose stacks are known and that stays open, for interactive hosts: variables are read
/// on demand, not for all frames at once. Use it on the thread that opened the target; it ends when the target is disposed.
/// </summary>
public sealed class AnalyzedTarget
{
    private readonly Target _target;
    private readonly Lazy<VariableReaders?> _variables;
    private readonly AnalysisOptions _options;
    private readonly AnalysisOptions _covered;
    private readonly Lazy<bool> _hasLongTexts;
    private readonly Lazy<StackView> _snapshot;

    private AnalyzedTarget(Target target, AnalysisOptions options, AnalysisOptions covered, AsyncModel model, Lazy<VariableReaders?> variables, CancellationToken cancellation)
    {
        (_target, _options, _covered, _variables, Model) = (target, options, covered, variables, model);
        _hasLongTexts = new(() => model.Reasons.Values.Any(HasLongText));
        _snapshot = new(() => FirstAnswer(cancellation));
    }

    /// <summary>Everything that was read.</summary>
    public AsyncModel Model { get; }

    /// <summary>The stacks that the options ask for, with variables where they ask for those; made when somebody wants it.</summary>
    /// <exception cref="TargetException">The target went away while variables were read.</exception>
    public StackView Snapshot => _snapshot.Value;

    /// <summary>Whether other options can be answered without reading again: options that only say which stacks are shown, and how, and whether with variables.</summary>
    public bool Answers(AnalysisOptions options) => _covered.Cover(options, _options.Locals != options.Locals && _hasLongTexts.Value);

    /// <summary>Answers with other options; reads only variables, and only if the options require them.</summary>
    /// <param name="options">As in <see cref="Analyze"/>; <see cref="Answers"/> says whether what was read is enough for them.</param>
    /// <param name="cancellation">When set, the answer so far is returned, marked incomplete.</param>
    /// <exception cref="TargetException">The target went away.</exception>
    public StackView Ask(AnalysisOptions options, CancellationToken cancellation = default)
    {
        StackView? view = null;
        Try(() => view = StackAnswer.Of(Model, options.Query, options.ForView(options.Locals ? _variables.Value : null), cancellation));
        // A process that is stopped for its variables stays stopped until they are read.
        if (options.Locals)
            view = view! with { Target = view.Target with { FreezeMs = TargetFactsReader.FrozenFor(_target) } };
        if (PartCapture.ChangedIn(_target) is { } changed && view!.Problems.All(problem => problem.Code != ProblemCodes.ChangedMeanwhile))
            view = view with { Complete = false, Problems = view.Problems.Add(changed) };
        return _target.HasMissed && view!.Problems.All(problem => problem.Code != ProblemCodes.EndedMeanwhile)
            ? view with { Complete = false, Problems = view.Problems.Add(Analyzer.EndedMeanwhile(_target)) } : view!;
    }

    // An interruption late in the reading is reported, too, but only in the first answer.
    private StackView FirstAnswer(CancellationToken cancellation)
    {
        StackView view = Ask(_options, cancellation);
        return !cancellation.IsCancellationRequested || view.Problems.Any(problem => problem.Code == ProblemCodes.Interrupted) ? view
            : view with { Problems = view.Problems.Add(new(ProblemCodes.Interrupted, "the analysis was interrupted when all stacks were known")) };
    }

    internal void WithVariables(bool wanted, Action<IFrameVariables?> use) => Try(() => use(wanted ? _variables.Value : null));

    /// <inheritdoc cref="Analyzer.Analyze"/>
    /// <returns>The answer, and access to its variables.</returns>
    public static AnalyzedTarget Analyze(
        Target target, AnalysisOptions options, IProgress<AnalysisProgress>? progress = null, CancellationToken cancellation = default)
    {
        using PartCapture? parts = PartCapture.Of(target, options.LayoutFile, options.Deep, completed: options.Completed || options.KeepsTasks);
        for (; ; )
        {
            (AsyncModel model, Func<VariableReaders?> variables, AnalysisOptions covered) = Analyzer.Run(target, options, parts, progress, cancellation);
            var analyzed = new AnalyzedTarget(target, options, covered, model, new(variables), cancellation);
            if (parts is not null && options.Locals)
                _ = analyzed.Snapshot;
            if (parts is null || parts.IsEnough || cancellation.IsCancellationRequested)
                return analyzed;
        }
    }

    // Of the SQL of a command only the first line is read unless variables are asked for.
    private static bool HasLongText(WaitReason reason)
    {
        for (WaitReason? level = reason; level is not null; level = level.Behind)
        {
            if (level.Shared.Concat(level.Own).Any(fact => fact.Key == WaitFactKey.HeldByCommand))
                return true;
        }
        return false;
    }

    /// <summary>Arguments and locals of a frame; empty if it has none or they cannot be read.</summary>
    /// <param name="stack">A stack of the answer.</param>
    /// <param name="frame">Index from the innermost frame.</param>
    /// <exception cref="TargetException">The target went away.</exception>
    public ImmutableArray<LocalValue> LocalsOf(LogicalStack stack, int frame)
        => Ask(readers => stack.Frames.RowAt(frame) is { Address: not 0 } row ? readers.LocalsOf(row.Id, row.Address) : []);

    /// <summary>What each of equal stacks has for itself, with variables.</summary>
    /// <param name="stack">A stack of the answer.</param>
    /// <param name="start">The first that is listed; those that have waited longest come first.</param>
    /// <param name="count">How many are listed.</param>
    /// <param name="read">Of how many variables are read, so that it is known how far they differ.</param>
    /// <exception cref="TargetException">The target went away.</exception>
    public EqualStacks MembersOf(LogicalStack stack, int start, int count, int read)
    {
        EqualStacks? found = null;
        Try(() => found = new GroupMembers(Model, _options.ForView(_variables.Value) with { Members = read }).Of(stack.Members, start, count));
        return found!;
    }

    /// <summary>Some parts of a value, by index; fewer at the end.</summary>
    /// <exception cref="TargetException">The target went away.</exception>
    public ImmutableArray<LocalValue> PartsOf(ValueParts parts, int start, int count) => Ask(readers => readers.Parts.Read(parts, start, count));

    /// <summary>The object at an address, as the value of a variable; null if there is none.</summary>
    /// <exception cref="TargetException">The target went away.</exception>
    public LocalValue? ObjectAt(string name, ulong address) => Ask(readers => readers.Parts.Object(name, address) is { } value ? [value] : []).FirstOrDefault();

    private ImmutableArray<LocalValue> Ask(Func<VariableReaders, ImmutableArray<LocalValue>> question)
    {
        ImmutableArray<LocalValue> answer = [];
        Try(() => answer = _variables.Value is { } readers ? question(readers) : []);
        return answer;
    }

    private void Try(Action question)
    {
        try
        {
            question();
            if (_target.Failure is { } failure)
                throw _target.Explain(failure);
        }
        catch (Exception e) when (e is not (TargetException or QueryException or OutOfMemoryException or OperationCanceledException))
        {
            throw _target.Explain(_target.Failure ?? e);
        }
    }
}
