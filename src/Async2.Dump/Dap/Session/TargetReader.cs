using Async2.Analysis;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;
using Async2.Analysis.Targets.Runtimes;
using Async2.Dump.Cli;

namespace Async2.Dump.Dap.Session;

/// <summary>Opens and reads the target of a session.</summary>
internal static class TargetReader
{
    /// <inheritdoc cref="TargetReading"/>
    public static IReadTarget Read(LaunchArguments arguments, IProgress<AnalysisProgress> progress, CancellationToken cancellation)
    {
        Analyzer.Prepare();
        progress.Report(new AnalysisProgress("opening", null));
        if (arguments.DumpPath is { } path && StackReport.IsSnapshot(path))
        {
            SavedSnapshot file = SnapshotFile.Read(path);
            return new ClosedTarget(file.Model, file.Ask(arguments.ForAnalysis, cancellation), arguments, file);
        }
        if (arguments is { IsDump: false, Freeze: FreezeMode.Full })
            return ReadAtOnce(arguments, progress, cancellation);
        Reading<AnalyzedTarget> reading = RepeatedReading.Read(
            options => Open(arguments, options), arguments.ForTarget, target => AnalyzedTarget.Analyze(target, arguments.ForAnalysis, progress, cancellation),
            analyzed => analyzed.Snapshot, cancellation);
        DacCrash.Forget();
        // Reopened with --freeze full in the last attempt, the process would stay stopped while the session lasts.
        if (reading.Target.IsStopped)
        {
            reading.Target.Dispose();
            return ReadAtOnce(arguments, progress, cancellation);
        }
        return new OpenTarget(reading, arguments);
    }

    // With --freeze full the process would stay stopped during the session: all variables are read now, and it runs on.
    private static ClosedTarget ReadAtOnce(LaunchArguments arguments, IProgress<AnalysisProgress> progress, CancellationToken cancellation)
    {
        using Target target = Open(arguments, arguments.ForTarget with { Freeze = FreezeMode.Full });
        AnalyzedTarget found = AnalyzedTarget.Analyze(target, arguments.ForAnalysis with { Locals = true }, progress, cancellation);
        return new ClosedTarget(found.Model, found.Snapshot, arguments);
    }

    private static Target Open(LaunchArguments arguments, TargetOptions options) => arguments.DumpPath is { } path
        ? Target.OpenDump(path, options)
        : Target.OpenProcess(arguments.ProcessId, options);
}
