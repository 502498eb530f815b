using Async2.Analysis;
using Async2.Analysis.Targets;

namespace Async2.Dump.Dap;

/// <summary>Opens and reads what a session is about.</summary>
internal static class TargetReader
{
    /// <inheritdoc cref="TargetReading"/>
    public static ReadTarget Read(LaunchArguments arguments, IProgress<AnalysisProgress> progress, CancellationToken cancellation)
    {
        Analyzer.Prepare();
        progress.Report(new AnalysisProgress("opening", null));
        if (arguments is { IsDump: false, Freeze: FreezeMode.Full })
            return ReadAtOnce(arguments, progress, cancellation);
        Target target = Open(arguments);
        try
        {
            AnalyzedTarget analyzed = AnalyzedTarget.Analyze(target, arguments.ForAnalysis, progress, cancellation);
            return new ReadTarget(analyzed.Snapshot) { Hold = target, LocalsOf = analyzed.LocalsOf, PartsOf = analyzed.PartsOf, ObjectAt = analyzed.ObjectAt };
        }
        catch
        {
            target.Dispose();
            throw;
        }
    }

    // The process would stand still as long as somebody looks at it: all that can be told is read now, and it runs on.
    private static ReadTarget ReadAtOnce(LaunchArguments arguments, IProgress<AnalysisProgress> progress, CancellationToken cancellation)
    {
        using Target target = Open(arguments);
        return new ReadTarget(Analyzer.Analyze(target, arguments.ForAnalysis with { Locals = true }, progress, cancellation));
    }

    private static Target Open(LaunchArguments arguments) => arguments.DumpPath is { } path
        ? Target.OpenDump(path, arguments.ForTarget)
        : Target.OpenProcess(arguments.ProcessId, arguments.ForTarget);
}
