using System.Collections.Immutable;
using Async2.Analysis.Model;
using Async2.Analysis.Query;
using Async2.Analysis.Targets.Contract;
using Async2.Analysis.Targets;

namespace Async2.Analysis;

/// <summary>
/// A target whose stacks are known and that stays open, for those who look at it for a while: variables are read when they are
/// asked for, and not for all frames at once. Belongs to the thread that opened the target; disposing the target ends it.
/// </summary>
public sealed class AnalyzedTarget
{
    private readonly Target _target;
    private readonly Lazy<VariableReaders?> _variables;

    private AnalyzedTarget(Target target, StackView snapshot, Func<VariableReaders?> variables)
        => (_target, Snapshot, _variables) = (target, snapshot, new(variables));

    /// <summary>The stacks. Frames have no variables: ask <see cref="LocalsOf"/>.</summary>
    public StackView Snapshot { get; }

    /// <inheritdoc cref="Analyzer.Analyze"/>
    /// <returns>The answer, and whom to ask for variables.</returns>
    public static AnalyzedTarget Analyze(
        Target target, AnalysisOptions options, IProgress<AnalysisProgress>? progress = null, CancellationToken cancellation = default)
    {
        (StackView snapshot, Func<VariableReaders?> variables) = Analyzer.Run(target, options with { Locals = false }, progress, cancellation);
        return new AnalyzedTarget(target, snapshot, variables);
    }

    /// <summary>Arguments and locals of a frame; empty when it has none or they cannot be read.</summary>
    /// <param name="stack">One of the snapshot's.</param>
    /// <param name="frame">Index from the innermost frame.</param>
    /// <exception cref="TargetException">The target went away.</exception>
    public ImmutableArray<LocalValue> LocalsOf(LogicalStack stack, int frame)
        => Ask(readers => stack.Frames.RowAt(frame) is { Address: not 0 } row ? readers.LocalsOf(row) : []);

    /// <summary>Some of the parts of a value, by their order; shorter at the end of them.</summary>
    /// <exception cref="TargetException">The target went away.</exception>
    public ImmutableArray<LocalValue> PartsOf(ValueParts parts, int start, int count) => Ask(readers => readers.Parts.Read(parts, start, count));

    /// <summary>An object by its address, as the value of a variable; null when there is none.</summary>
    /// <exception cref="TargetException">The target went away.</exception>
    public LocalValue? ObjectAt(string name, ulong address) => Ask(readers => readers.Parts.Object(name, address) is { } value ? [value] : []).FirstOrDefault();

    private ImmutableArray<LocalValue> Ask(Func<VariableReaders, ImmutableArray<LocalValue>> question)
    {
        try
        {
            ImmutableArray<LocalValue> answer = _variables.Value is { } readers ? question(readers) : [];
            return _target.Failure is { } failure ? throw _target.Explain(failure) : answer;
        }
        catch (Exception e) when (e is not (TargetException or OutOfMemoryException))
        {
            throw _target.Explain(_target.Failure ?? e);
        }
    }
}
