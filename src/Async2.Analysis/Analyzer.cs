using System.Globalization;
using Async2.Analysis.Code.Suspension;
using Async2.Analysis.Comparison;
using Async2.Analysis.Layouts.Descriptions;
using Async2.Analysis.Model;
using Async2.Analysis.Query;
using Async2.Analysis.Surveys;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;
using Async2.Analysis.Targets.Copying;
using Async2.Analysis.Targets.Stopping;

namespace Async2.Analysis;

/// <summary>The complete analysis: a target in, an answer out.</summary>
public static class Analyzer
{
    /// <summary>Reads all logical async stacks of a target.</summary>
    /// <param name="target">An open target; stays open.</param>
    /// <param name="options">What to read.</param>
    /// <param name="progress">Receives the phases; may be null.</param>
    /// <param name="cancellation">When set, the answer so far is returned, marked incomplete.</param>
    /// <exception cref="TargetException">The target went away, or its runtime cannot be read at all.</exception>
    /// <exception cref="LayoutException">The layout file in the options cannot be used, or is not for this target.</exception>
    public static StackView Analyze(
        Target target, AnalysisOptions options, IProgress<AnalysisProgress>? progress = null, CancellationToken cancellation = default)
        => AnalyzedTarget.Analyze(target, options, progress, cancellation).Snapshot;

    /// <summary>
    /// Announces that a target will be opened and analyzed: required code is loaded meanwhile, on a background thread. For programs that
    /// start for one analysis; others gain nothing.
    /// </summary>
    public static void Prepare()
    {
        UrgentWork.Prepare();
        CodeWarmup.Begin();
    }

    internal static (AsyncModel Model, Func<VariableReaders?> Variables, AnalysisOptions Covered) Run(
        Target target, AnalysisOptions options, PartCapture? parts, IProgress<AnalysisProgress>? progress, CancellationToken cancellation)
    {
        try
        {
            parts?.Take(done => progress?.Report(new AnalysisProgress("finding async objects", done)), cancellation);
            // Nothing more can be read once its time is up.
            using var limited = CancellationTokenSource.CreateLinkedTokenSource(cancellation, target.Origin.Freeze?.Over ?? default);
            var analysis = new AnalysisPipeline(target, options, progress, limited.Token);
            AsyncModel model = Since(options.Earlier, analysis.Run());
            if (target.HasMissed)
                model = model with { Complete = false, Problems = model.Problems.Add(EndedMeanwhile(target)) };
            if (PartCapture.ChangedIn(target) is { } changed)
                model = model with { Complete = false, Problems = model.Problems.Add(changed) };
            if (PartCapture.ReadLaterIn(target) is { } later)
                model = model with { Problems = model.Problems.Add(later) };
            if (target.Origin.Copy?.Old is { WasSearchMissed: true } old)
                model = model with { Problems = model.Problems.Add(NotSearched(old)) };
            // Once a process has ended or a disk fails, everything looks empty: that is not an answer.
            return target.Failure is { } failure ? throw target.Explain(failure) : (model, analysis.Variables, analysis.Covered);
        }
        catch (Exception e) when (e is not (TargetException or LayoutException or OutOfMemoryException or OperationCanceledException))
        {
            throw target.Origin.Freeze is { IsOver: true } ? StoppedTooLong(target) : target.Explain(target.Failure ?? e);
        }
    }

    private static AsyncModel Since(AsyncModel? earlier, AsyncModel model) => earlier is null ? model
        : earlier.Target.Pid == model.Target.Pid && model.Target.Kind == TargetKind.Process ? EarlierLook.Join(earlier, model)
        : throw new TargetException("The two looks are not at one process: it has ended, and another one has its name.", "name the process by its pid");

    private static TargetException StoppedTooLong(Target target) => new(
        FormattableString.Invariant($"Process {target.Origin.Pid} was stopped for as long as the tool allows, and was released before it was read."),
        FormattableString.Invariant($"read it with --freeze brief, the default, on a machine with more memory; or write a dump and read that: {HostCommands.Current.CollectDump(target.Origin.Pid?.ToString(CultureInfo.InvariantCulture) ?? "PID")}"));

    private static Problem NotSearched(OldHeap old) => new(ProblemCodes.NotSearched, FormattableString.Invariant(
        $"of what is old in the heap only what async code needs was copied ({old.Copied >> 20} MB), so objects that may release, signal or complete something later were not searched, and nothing is called lost where one of them could: --freeze copy copies the whole heap"));

    internal static Problem EndedMeanwhile(Target target) => new(
        ProblemCodes.EndedMeanwhile,
        FormattableString.Invariant($"process {target.Origin.Pid} ended after it was copied, and a file that it had mapped is gone, too: names, lines or stacks may be missing"));
}
