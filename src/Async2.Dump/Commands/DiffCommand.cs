using System.CommandLine;
using Async2.Analysis;
using Async2.Analysis.Comparison;
using Async2.Analysis.Model;
using Async2.Analysis.Rendering;
using Async2.Analysis.Rendering.Formats;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;
using Async2.Analysis.Watching;
using Async2.Dump.Cli;

namespace Async2.Dump.Commands;

/// <summary><c>diff A B</c>: what is stuck, moved, new and gone between two moments of one program; of three and more, what only grows.</summary>
internal static class DiffCommand
{
    public static Command Create(ToolCommands tool)
    {
        var command = new Command("diff", "What is stuck, moved, new and gone between two moments of one program; of three and more, what only grows.");
        var before = new Argument<string>("A") { Description = "The earlier one: process id or name, dump, or snapshot" };
        var after = new Argument<string>("B") { Description = "The later one; the same process again waits for --interval" };
        var further = new Argument<string[]>("MORE") { Description = "Later ones, in the order of time: groups that only grow are shown", Arity = ArgumentArity.ZeroOrMore };
        var options = new DiffOptions();
        command.Arguments.Add(before);
        command.Arguments.Add(after);
        command.Arguments.Add(further);
        options.AddTo(command);
        tool.Queries.Add(options.Query);
        tool.SetReadingAction(command, parsed => parsed.GetValue(before), (session, parsed) =>
        {
            options.Check(parsed);
            string[] targets = [parsed.GetRequiredValue(before), parsed.GetRequiredValue(after), .. parsed.GetValue(further) ?? []];
            return targets.Length == 2 ? Compare(session, parsed, options, targets) : Grow(session, parsed, options, targets);
        });
        return command;
    }

    private static int Compare(ToolSession session, ParseResult parsed, DiffOptions options, string[] targets)
    {
        AnalysisOptions analysis = options.ForAnalysis(parsed);
        AsyncModel[] looks = [.. Looks(session, parsed, options, targets, analysis)];
        TargetDiff diff = TargetComparison.Compare(looks[0], looks[1], analysis, session.Cancellation);
        Write(session, parsed, options, analysis, (rendering, stream) =>
        {
            if (options.Format(parsed) == "json")
                DiffRenderer.WriteJson(diff, rendering, stream);
            else if (options.Format(parsed) == "html")
                DiffRenderer.WriteHtml(diff, rendering, stream);
            else
                WriteText(rendering, stream, text => DiffRenderer.WriteText(diff, rendering, text));
        });
        return ExitCode(session, diff.Complete);
    }

    private static int Grow(ToolSession session, ParseResult parsed, DiffOptions options, string[] targets)
    {
        AnalysisOptions analysis = options.ForAnalysis(parsed);
        var series = new GrowthSeries(analysis, targets.Length);
        TargetFacts? before = null;
        foreach ((int number, AsyncModel model) in Looks(session, parsed, options, targets, analysis).Index())
        {
            if (before is not null && TargetComparison.Apart(before, model.Target) < 0)
                throw new UsageException($"{targets[number]} was taken before {targets[number - 1]}", "name the oldest first");
            series.Add(model, session.Cancellation);
            before = model.Target;
        }
        TargetGrowth growth = series.Finish();
        Write(session, parsed, options, analysis, (rendering, stream) =>
        {
            if (options.Format(parsed) == "json")
                GrowthRenderer.WriteJson(growth, rendering, stream);
            else if (options.Format(parsed) == "html")
                GrowthRenderer.WriteHtml(growth, rendering, stream);
            else
                WriteText(rendering, stream, text => GrowthRenderer.WriteText(growth, rendering, text));
        });
        return ExitCode(session, growth.Complete);
    }

    // One after the other: who needs no more than numbers of the first ones does not keep them.
    private static IEnumerable<AsyncModel> Looks(ToolSession session, ParseResult parsed, DiffOptions options, string[] targets, AnalysisOptions analysis)
    {
        TimeSpan interval = options.Interval(parsed) ?? Cli.Looks.DefaultInterval;
        TargetOptions opening = options.ForTarget(parsed);
        string? last = null;
        bool wasProcess = false;
        foreach (string target in targets)
        {
            if (target == last && wasProcess)
                session.Cancellation.WaitHandle.WaitOne(interval);
            AsyncModel model = Look(session, target, opening, analysis);
            (last, wasProcess) = (target, model.Target.Kind == TargetKind.Process);
            yield return model;
        }
    }

    // A snapshot has what was read of it; what was not asked for then, is in neither.
    private static AsyncModel Look(ToolSession session, string target, TargetOptions opening, AnalysisOptions analysis)
        => StackReport.IsSnapshot(target) ? SnapshotFile.Read(target).Model : StackReport.Look(session, to => Target.Open(target, to), opening, analysis).Model;

    private static void Write(ToolSession session, ParseResult parsed, DiffOptions options, AnalysisOptions analysis, Action<RenderOptions, Stream> write)
    {
        string? path = parsed.GetValue(options.Output);
        RenderOptions rendering = options.ForRendering(parsed, analysis.Query, session.Verbose, session.Text(path is not null));
        AnswerFile.Write(path, stream => write(rendering, stream));
    }

    private static void WriteText(RenderOptions rendering, Stream stream, Action<Async2.Analysis.Rendering.Text.StyledText> write)
    {
        using var writer = new StreamWriter(stream, new System.Text.UTF8Encoding(false), leaveOpen: true);
        write(rendering.Text(writer));
    }

    private static int ExitCode(ToolSession session, bool complete)
        => session.Cancellation.IsCancellationRequested ? ExitCodes.Interrupted : complete ? ExitCodes.Fine : ExitCodes.Partial;
}
