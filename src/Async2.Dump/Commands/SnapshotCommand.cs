using System.CommandLine;
using System.Globalization;
using Async2.Analysis;
using Async2.Analysis.Model.Labels;
using Async2.Analysis.Query;
using Async2.Analysis.Rendering.Text;
using Async2.Analysis.Targets;
using Async2.Dump.Cli;

namespace Async2.Dump.Commands;

/// <summary><c>snapshot TARGET</c>: writes all stacks of a process or dump to a small file for later analysis.</summary>
internal static class SnapshotCommand
{
    public static Command Create(ToolCommands tool)
    {
        var command = new Command("snapshot", "Writes all stacks of a process or dump to a small file that can be analyzed like it.");
        var target = new Argument<string>("TARGET") { Description = "Process id, process name, or dump file" };
        var output = new Option<string?>("--output", "-o") { Description = "File to write; - is standard output", HelpName = "FILE" };
        var locals = new Option<bool>("--locals") { Description = "Include arguments and locals of each frame" };
        var values = new ValueOptions();
        var opening = new OpeningOptions();
        var looks = new Looks();
        command.Arguments.Add(target);
        foreach (Option option in (Option[])[output, locals, .. values.All, .. looks.All, .. opening.All])
            command.Options.Add(option);
        tool.SetReadingAction(command, parsed => parsed.GetValue(target), (session, parsed) =>
        {
            opening.Check(parsed);
            var options = new SnapshotOptions { Locals = parsed.GetValue(locals), Redact = values.Of(parsed) == ShownValues.None };
            return Run(session, parsed.GetRequiredValue(target), parsed.GetValue(output), options, values.Of(parsed), opening, looks.Plan(parsed), parsed);
        });
        return command;
    }

    /// <summary>A name that sorts by time and contains the target's name.</summary>
    public static string DefaultName(string target, DateTime utc)
        => $"{Path.GetFileNameWithoutExtension(target)}_{utc.ToString("yyyyMMdd_HHmmss", CultureInfo.InvariantCulture)}{SnapshotFile.Extension}";

    private static int Run(ToolSession session, string target, string? output, SnapshotOptions options, ShownValues shown, OpeningOptions opening, LookPlan? plan, ParseResult parsed)
    {
        if (string.IsNullOrWhiteSpace(target))
            throw new UsageException("no target given", "type dotnet-async2 snapshot PID, or dotnet-async2 snapshot FILE.dmp");
        if (StackReport.IsSnapshot(target))
            throw new UsageException($"{target} is a snapshot already", $"type dotnet-async2 {target} to see what is in it");
        Looks.Check(target, plan);
        string path = output ?? DefaultName(target, DateTime.UtcNow);
        AnswerFile.Check(path);
        AnalysisOptions analysis = AnalysisOptions.ForSnapshot(options.Locals) with { LayoutFile = opening.Layout(parsed), Values = shown };
        if (plan is not null)
            analysis = analysis with { Earlier = Looks.Before(session, to => Target.Open(target, to), opening.ForTarget(parsed), analysis, plan).Earlier };
        Analyzer.Prepare();
        Reading<(AnalyzedTarget Analyzed, StackView View)> reading = RepeatedReading.Read(
            to => Target.Open(target, to), opening.ForTarget(parsed), opened => Read(opened, analysis, session), read => read.View, session.Cancellation);
        StackView view = reading.With(reading.Answer.View);
        try
        {
            AnswerFile.Write(path, stream => SnapshotFile.Write(reading.Answer.Analyzed, stream, options with { Note = reading.Again }), isPrivate: true);
        }
        finally
        {
            reading.Target.Dispose();
            session.Progress.Clear();
        }
        // The file went where the note would go.
        if (OutputPath.Of(path).Kind == OutputKind.StandardOutput)
            return StackReport.ExitCode(view, session.Cancellation);
        long size = new FileInfo(path) is { Exists: true } file ? file.Length : 0;
        WrittenFile.Print(session, path, DisplayText.Number(Math.Max(1, size / 1000)) + " KB", view, "all of them");
        return StackReport.ExitCode(view, session.Cancellation);
    }

    private static (AnalyzedTarget Analyzed, StackView View) Read(Target target, AnalysisOptions analysis, ToolSession session)
    {
        AnalyzedTarget analyzed = AnalyzedTarget.Analyze(target, analysis, session.Progress, session.Cancellation);
        return (analyzed, analyzed.Ask(new AnalysisOptions()));
    }
}
