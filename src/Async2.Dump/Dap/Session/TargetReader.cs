using Async2.Analysis;
using Async2.Analysis.Model;
using Async2.Analysis.Query;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;
using Async2.Analysis.Targets.Runtimes;
using Async2.Dump.Cli;

namespace Async2.Dump.Dap.Session;

/// <summary>Opens and reads the target of a session.</summary>
internal static class TargetReader
{
    /// <inheritdoc cref="TargetReading"/>
    public static ReadTarget Read(LaunchArguments arguments, IProgress<AnalysisProgress> progress, CancellationToken cancellation)
    {
        Analyzer.Prepare();
        progress.Report(new AnalysisProgress("opening", null));
        if (arguments.DumpPath is { } path && StackReport.IsSnapshot(path))
            return OfSnapshot(SnapshotFile.Read(path), arguments);
        if (arguments is { IsDump: false, Freeze: FreezeMode.Full })
            return ReadAtOnce(arguments, progress, cancellation);
        Reading<AnalyzedTarget> reading = RepeatedReading.Read(
            options => Open(arguments, options), arguments.ForTarget, target => AnalyzedTarget.Analyze(target, arguments.ForAnalysis, progress, cancellation),
            analyzed => analyzed.Snapshot, cancellation);
        AnalyzedTarget found = reading.Answer;
        DacCrash.Forget();
        // Reopened with --freeze full in the last attempt, the process would stay stopped while the session lasts.
        if (reading.Target.IsStopped)
        {
            reading.Target.Dispose();
            return ReadAtOnce(arguments, progress, cancellation);
        }
        return new ReadTarget(reading.With(found.Snapshot))
        {
            Hold = reading.Target, Find = SearchIn(found.Model, found.Snapshot, arguments), LocalsOf = found.LocalsOf, PartsOf = found.PartsOf, ObjectAt = found.ObjectAt,
        };
    }

    private static ReadTarget OfSnapshot(SavedSnapshot snapshot, LaunchArguments arguments)
    {
        StackView view = snapshot.Ask(arguments.ForAnalysis);
        return new ReadTarget(view) { Find = SearchIn(snapshot.Model, view, arguments), LocalsOf = snapshot.LocalsOf };
    }

    // With --freeze full the process would stay stopped during the session: all variables are read now, and it runs on.
    private static ReadTarget ReadAtOnce(LaunchArguments arguments, IProgress<AnalysisProgress> progress, CancellationToken cancellation)
    {
        using Target target = Open(arguments, arguments.ForTarget with { Freeze = FreezeMode.Full });
        AnalyzedTarget found = AnalyzedTarget.Analyze(target, arguments.ForAnalysis with { Locals = true }, progress, cancellation);
        return new ReadTarget(found.Snapshot) { Find = SearchIn(found.Model, found.Snapshot, arguments) };
    }

    // Asks the model; the target is not read again.
    private static Func<StackSearch, CancellationToken, IReadOnlyList<int>> SearchIn(AsyncModel model, StackView view, LaunchArguments arguments)
        => (search, cancellation) => search.In(model, view, includeFramework: !arguments.JustMyCode, cancellation);

    private static Target Open(LaunchArguments arguments, TargetOptions options) => arguments.DumpPath is { } path
        ? Target.OpenDump(path, options)
        : Target.OpenProcess(arguments.ProcessId, options);
}
