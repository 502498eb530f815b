using System.CommandLine;
using Async2.Analysis.Query;
using Async2.Analysis.Rendering;
using Async2.Analysis.Rendering.Formats;
using Async2.Analysis.Rendering.Text;
using Async2.Analysis.Targets;
using Async2.Dump.Cli;
using Async2.Dump.Gates;

namespace Async2.Dump.Commands;

/// <summary><c>check TARGET</c>: a gate for CI and probes. Exit code 1 when something is wrong.</summary>
internal static class CheckCommand
{
    public static Command Create(ToolCommands tool)
    {
        var command = new Command("check", "Exit code 1 if something is wrong in a process, dump or snapshot: a gate for CI.");
        var target = new Argument<string?>("TARGET") { Description = "Process id, process name, dump file, or snapshot", Arity = ArgumentArity.ZeroOrOne };
        var options = new CheckOptions();
        command.Arguments.Add(target);
        options.AddTo(command);
        tool.SetReadingAction(command, parsed => options.IsSelfTest(parsed) ? null : parsed.GetValue(target), (session, parsed) =>
        {
            if (options.IsSelfTest(parsed))
                return SelfTest.Run(session, options.ForAnswer(parsed));
            if (parsed.GetValue(target) is not { Length: > 0 } name)
                throw new UsageException("no TARGET given", "type dotnet-async2 check PID, FILE.dmp or FILE.async2snap, or check --self-test");
            return Run(session, parsed, options, name);
        });
        return command;
    }

    private static int Run(ToolSession session, ParseResult parsed, CheckOptions options, string target)
    {
        options.Check(parsed);
        Gate gate = options.Gate(parsed);
        StackView view = Looks.Take(session, target, opening => Target.Open(target, opening), options.ForTarget(parsed), options.ForAnalysis(parsed), options.StuckOver(parsed), "--stuck-over");
        GateResult result = gate.Judge(view);
        StackView last = view with { Findings = result.Reported };
        AnswerFile.Write(parsed.GetValue(options.Output), stream => Write(session, parsed, options, result, last, stream));
        int exit = StackReport.ExitCode(last, session.Cancellation);
        return result.Failures.Count > 0 && exit != ExitCodes.Interrupted ? ExitCodes.Found : exit;
    }

    private static void Write(ToolSession session, ParseResult parsed, CheckOptions options, GateResult result, StackView view, Stream stream)
    {
        IRenderer renderer = Renderers.Find(options.Format(parsed))!;
        RenderOptions rendering = new()
        {
            FindingsOnly = true, AllFindings = true, Verbose = session.Verbose, SourceRoot = options.SourceRoot(parsed), Text = session.Text(parsed.GetValue(options.Output) is not null),
        };
        if (renderer is not TextRenderer)
        {
            renderer.Render(view, rendering, stream);
            return;
        }
        using var writer = new StreamWriter(stream, new System.Text.UTF8Encoding(false), leaveOpen: true);
        StyledText text = rendering.Text(writer);
        // The verdict first: it is what a log is searched for.
        foreach (string failure in result.Failures)
            new Paragraph(text).Add(TextRole.Error, "failed: ").Add(failure).End();
        if (result.Failures.Count == 0)
            new Paragraph(text).Add(view.Complete ? TextRole.Good : TextRole.Problem, view.Complete ? "passed" : "nothing found, but not all could be read").End();
        if (result.Known > 0)
            new Paragraph(text).Add(TextRole.Dim, $"{DisplayText.Count(result.Known, "finding")} known from the baseline").End();
        text.Line();
        TextRenderer.Render(view, rendering, text);
    }
}
