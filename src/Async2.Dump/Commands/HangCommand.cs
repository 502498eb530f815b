using System.CommandLine;
using System.Globalization;
using Async2.Analysis;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Labels;
using Async2.Analysis.Rendering;
using Async2.Analysis.Rendering.Formats;
using Async2.Analysis.Rendering.Text;
using Async2.Analysis.Targets.Contract;
using Async2.Dump.Cli;
using Async2.Dump.Hangs;

namespace Async2.Dump.Commands;

/// <summary><c>hang PID</c>: what test runners call when a test does not end (docs/test-hangs.md). Reads the process, prints, saves files, and leaves it as it is.</summary>
internal static class HangCommand
{
    public static Command Create(ToolCommands tool)
    {
        var command = new Command("hang", "For test runs: the stacks of tests that do not end, what is wrong, and files to keep.");
        var target = new Argument<string>("TARGET") { Description = "Process of the tests" };
        var tests = new Option<string[]>("--test") { Description = "A test in progress: namespace, type and method; may be repeated", HelpName = "NAME", DefaultValueFactory = _ => [] };
        var since = new Option<string>("--running") { Description = "For how long they have been running, for the headline", HelpName = "TIME", DefaultValueFactory = _ => "a long time" };
        var output = new Option<string?>("--output", "-o") { Description = "Folder for a snapshot and a page", HelpName = "DIR" };
        var values = new ValueOptions();
        var opening = new OpeningOptions();
        command.Arguments.Add(target);
        foreach (Option option in (Option[])[tests, since, output, .. values.All, .. opening.All])
            command.Options.Add(option);
        tool.SetReadingAction(command, parsed => parsed.GetValue(target), (session, parsed) =>
        {
            opening.Check(parsed);
            HungTest[] hung = [.. parsed.GetRequiredValue(tests).Select(name => new HungTest(name))];
            return Run(session, parsed.GetRequiredValue(target), hung, parsed.GetRequiredValue(since), parsed.GetValue(output), values.Of(parsed), opening, parsed);
        });
        return command;
    }

    private static int Run(ToolSession session, string target, HungTest[] tests, string since, string? folder, ShownValues shown, OpeningOptions opening, ParseResult parsed)
    {
        AnalysisOptions analysis = AnalysisOptions.ForSnapshot(locals: false) with { LayoutFile = opening.Layout(parsed), Values = shown };
        TargetOptions options = opening.ForTarget(parsed);
        using HungProcess host = HungProcess.Of(session, target, options, analysis);
        var runner = new HangReport(host.Read, tests, since);
        int? pid = runner.View.Target is { Kind: TargetKind.Process } process ? process.Pid : null;
        using HungProcess? other = pid is { } id && !runner.HasTests ? HungProcess.WithTests(session, id, tests, options, analysis) : null;
        HangReport report = other is null ? runner : new HangReport(other.Read, tests, since);
        AnswerFile.Write(null, stream =>
        {
            using var writer = new StreamWriter(stream, new System.Text.UTF8Encoding(false), leaveOpen: true);
            StyledText text = session.Text(false)(writer);
            report.Write(text);
            foreach (string file in folder is null ? [] : Save(folder, other ?? host, report, pid, shown))
                writer.WriteLine("saved " + file);
            foreach (string line in report.Annotations(Environment.GetEnvironmentVariable))
                writer.WriteLine(line);
            // Each takes time, and what was found is not to wait for it.
            writer.Flush();
            var others = new OtherProcesses(session, text, options, analysis);
            if (other is not null)
                others.WriteRunner(runner.View);
            if (pid is { } started)
                others.WriteStartedBy(started, other is null ? null : report.View.Target.Pid);
        });
        return StackReport.ExitCode(report.View, session.Cancellation);
    }

    // Named by the process that was asked for: who has asked finds them by it.
    private static string[] Save(string folder, HungProcess process, HangReport report, int? pid, ShownValues shown)
    {
        Directory.CreateDirectory(folder);
        string name = string.Create(CultureInfo.InvariantCulture, $"async2-hang-{pid ?? report.View.Target.Pid}-{DateTime.UtcNow:HHmmss}");
        string snapshot = Path.Join(folder, name + SnapshotFile.Extension), page = Path.Join(folder, name + ".html");
        AnswerFile.Write(snapshot, stream => SnapshotFile.Write(process.Read, stream, new SnapshotOptions { Redact = shown == ShownValues.None, Note = process.Again }), isPrivate: true);
        AnswerFile.Write(page, stream => Renderers.Find("html")!.Render(report.View, new RenderOptions(), stream), isPrivate: true);
        return [snapshot, page];
    }
}
