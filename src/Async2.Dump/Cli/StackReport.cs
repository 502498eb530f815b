using System.CommandLine;
using Async2.Analysis.Query;
using Async2.Analysis.Rendering;
using Async2.Analysis.Targets.Contract;
using Async2.Analysis.Targets;
using Async2.Analysis;

namespace Async2.Dump.Cli;

/// <summary>The work of every command that shows stacks: open, read, let go, print.</summary>
internal static class StackReport
{
    /// <summary>Runs the whole and returns the exit code.</summary>
    public static int Run(ToolSession session, ParseResult parsed, StackOptions options, Func<TargetOptions, Target> open)
    {
        string? path = parsed.GetValue(options.Output);
        options.Check(parsed);
        AnalysisOptions analysis = options.ForAnalysis(parsed);
        StackView snapshot = Read(session, open, options.ForTarget(parsed), analysis);
        RenderOptions rendering = options.ForRendering(parsed, analysis.Query, session.Verbose, session.Text(path is not null));
        AnswerFile.Write(path, stream => options.Renderer(parsed).Render(snapshot, rendering, stream), isPrivate: analysis.Locals);
        return ExitCode(snapshot, session.Cancellation);
    }

    /// <summary>
    /// Reads a target on the calling thread from beginning to end: the kernel lets only the thread that stopped a process
    /// read and continue it. The process runs again when this returns.
    /// </summary>
    public static StackView Read(ToolSession session, Func<TargetOptions, Target> open, TargetOptions options, AnalysisOptions analysis)
    {
        Analyzer.Prepare();
        Reading<StackView> reading = RepeatedReading.Read(
            open, options, target => Analyzer.Analyze(target, analysis, session.Progress, session.Cancellation), snapshot => snapshot, session.Cancellation);
        reading.Target.Dispose();
        session.Progress.Clear();
        return reading.With(reading.Answer);
    }

    /// <summary>What the shell is told about an answer.</summary>
    public static int ExitCode(StackView snapshot, CancellationToken cancellation)
        => cancellation.IsCancellationRequested ? ExitCodes.Interrupted : snapshot.Complete ? ExitCodes.Fine : ExitCodes.Partial;
}
