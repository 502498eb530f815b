using Async2.Analysis;
using Async2.Analysis.Targets;

namespace Async2.Dump.Dap;

/// <summary>Opens and reads what a session is about.</summary>
internal static class TargetReader
{
    /// <inheritdoc cref="TargetReading"/>
    public static ReadTarget Read(LaunchArguments arguments, IProgress<AnalysisProgress> progress, CancellationToken cancellation)
    {
        progress.Report(new AnalysisProgress("opening", null));
        Target target = arguments.DumpPath is { } path ? Target.OpenDump(path, arguments.ForTarget) : Target.OpenProcess(arguments.ProcessId, arguments.ForTarget);
        try
        {
            return new ReadTarget(Analyzer.Analyze(target, arguments.ForAnalysis, progress, cancellation), target);
        }
        catch
        {
            target.Dispose();
            throw;
        }
    }
}
