using System.CommandLine;
using Async2.Analysis;
using Async2.Analysis.Model;
using Async2.Analysis.Query;
using Async2.Analysis.Rendering;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;

namespace Async2.Dump.Cli;

/// <summary>The work of every command that shows stacks: open, read, release, print.</summary>
internal static class StackReport
{
    /// <summary>Runs all steps and returns the exit code.</summary>
    /// <param name="session">The run.</param>
    /// <param name="parsed">The command line.</param>
    /// <param name="options">Its options.</param>
    /// <param name="target">The user's TARGET, which may be a snapshot.</param>
    /// <param name="open">Opens any other target.</param>
    public static int Run(ToolSession session, ParseResult parsed, StackOptions options, string target, Func<TargetOptions, Target> open)
    {
        string? path = parsed.GetValue(options.Output);
        options.Check(parsed);
        AnalysisOptions analysis = options.ForAnalysis(parsed);
        StackView snapshot = Looks.Take(session, target, open, options.ForTarget(parsed), analysis, options.Looks.Plan(parsed));
        RenderOptions rendering = options.ForRendering(parsed, analysis.Query, session.Verbose, session.Text(path is not null));
        AnswerFile.Write(path, stream => options.Renderer(parsed).Render(snapshot, rendering, stream), isPrivate: analysis.Locals);
        return ExitCode(snapshot, session.Cancellation);
    }

    /// <summary>
    /// Reads a target on the calling thread from beginning to end: only the thread that stopped a process
    /// can read and continue it. The process runs again when this returns.
    /// </summary>
    /// <param name="session">The run.</param>
    /// <param name="open">Opens the target.</param>
    /// <param name="options">How to open it.</param>
    /// <param name="analysis">What to read.</param>
    public static StackView Read(ToolSession session, Func<TargetOptions, Target> open, TargetOptions options, AnalysisOptions analysis)
        => Look(session, open, options, analysis).View;

    /// <summary>The same, with everything that was read.</summary>
    public static (StackView View, AsyncModel Model) Look(ToolSession session, Func<TargetOptions, Target> open, TargetOptions options, AnalysisOptions analysis)
    {
        Analyzer.Prepare();
        Reading<AnalyzedTarget> reading = RepeatedReading.Read(
            open, options, target => AnalyzedTarget.Analyze(target, analysis, session.Progress, session.Cancellation), analyzed => analyzed.Snapshot, session.Cancellation);
        reading.Target.Dispose();
        session.Progress.Clear();
        return (reading.With(reading.Answer.Snapshot), reading.Answer.Model);
    }

    /// <summary>Whether a target is a snapshot, or a file with its extension.</summary>
    public static bool IsSnapshot(string target) => SnapshotFile.Is(target) || (target.EndsWith(SnapshotFile.Extension, StringComparison.OrdinalIgnoreCase) && File.Exists(target));

    /// <summary>The exit code for an answer.</summary>
    public static int ExitCode(StackView snapshot, CancellationToken cancellation)
        => cancellation.IsCancellationRequested ? ExitCodes.Interrupted : snapshot.Complete ? ExitCodes.Fine : ExitCodes.Partial;
}
