using System.CommandLine;
using Async2.Analysis;
using Async2.Analysis.Comparison;
using Async2.Analysis.Model;
using Async2.Analysis.Rendering;
using Async2.Analysis.Rendering.Formats;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;
using Async2.Dump.Cli;

namespace Async2.Dump.Commands;

/// <summary><c>diff A B</c>: what is stuck, moved, new and gone between two moments of one program.</summary>
internal static class DiffCommand
{
    private static readonly TimeSpan DefaultInterval = TimeSpan.FromSeconds(1);

    public static Command Create(ToolCommands tool)
    {
        var command = new Command("diff", "What is stuck, moved, new and gone between two moments of one program.");
        var before = new Argument<string>("A") { Description = "The earlier one: process id or name, dump, or snapshot" };
        var after = new Argument<string>("B") { Description = "The later one; the same process again waits for --interval" };
        var options = new DiffOptions();
        command.Arguments.Add(before);
        command.Arguments.Add(after);
        options.AddTo(command);
        tool.Queries.Add(options.Query);
        tool.SetReadingAction(command, parsed => parsed.GetValue(before), (session, parsed) => Run(session, parsed, options, parsed.GetRequiredValue(before), parsed.GetRequiredValue(after)));
        return command;
    }

    private static int Run(ToolSession session, ParseResult parsed, DiffOptions options, string before, string after)
    {
        options.Check(parsed);
        TimeSpan? interval = options.Interval(parsed);
        AnalysisOptions analysis = options.ForAnalysis(parsed);
        TargetOptions opening = options.ForTarget(parsed);
        AsyncModel was = Look(session, before, opening, analysis);
        if (before == after && was.Target.Kind == TargetKind.Process)
            session.Cancellation.WaitHandle.WaitOne(interval ?? DefaultInterval);
        AsyncModel now = Look(session, after, opening, analysis);
        TargetDiff diff = TargetComparison.Compare(was, now, analysis, session.Cancellation);
        string? path = parsed.GetValue(options.Output);
        RenderOptions rendering = options.ForRendering(parsed, analysis.Query, session.Verbose, session.Text(path is not null));
        AnswerFile.Write(path, stream => Write(diff, options.IsJson(parsed), rendering, stream));
        return session.Cancellation.IsCancellationRequested ? ExitCodes.Interrupted : diff.Complete ? ExitCodes.Fine : ExitCodes.Partial;
    }

    // A snapshot has what was read of it; what was not asked for then, is in neither.
    private static AsyncModel Look(ToolSession session, string target, TargetOptions opening, AnalysisOptions analysis)
        => StackReport.IsSnapshot(target) ? SnapshotFile.Read(target).Model : StackReport.Look(session, to => Target.Open(target, to), opening, analysis).Model;

    private static void Write(TargetDiff diff, bool isJson, RenderOptions rendering, Stream stream)
    {
        if (isJson)
        {
            DiffRenderer.WriteJson(diff, rendering, stream);
            return;
        }
        using var writer = new StreamWriter(stream, new System.Text.UTF8Encoding(false), leaveOpen: true);
        DiffRenderer.WriteText(diff, rendering, rendering.Text(writer));
    }
}
