using System.CommandLine;
using Async2.Analysis;
using Async2.Analysis.Rendering.Text;
using Async2.Analysis.Watching;
using Async2.Analysis.Model.Labels;
using Async2.Dump.Cli;
using Async2.Dump.Fleets;
using Async2.Dump.Terminals;
using Async2.Dump.Watching;
using Async2.Dump.Workers;
using Spectre.Console;

namespace Async2.Dump.Commands;

/// <summary><c>watch PID</c>: a live view of a process, and snapshots of what happens while nobody looks.</summary>
internal static class WatchCommand
{
    public const string Name = "watch";

    public static Command Create(ToolCommands tool)
    {
        var command = new Command(Name, "A live view of a process; saves a snapshot when something hangs.");
        var target = new Argument<string>("PID") { Description = "Process id, or process name" };
        var options = new WatchOptions();
        var otlp = new Option<string?>("--otlp") { Description = "Send groups as metrics and findings as log records to a collector of OpenTelemetry, by OTLP over HTTP", HelpName = "http://localhost:4318" };
        command.Arguments.Add(target);
        options.AddTo(command);
        command.Options.Add(otlp);
        tool.Queries.Add(options.Query);
        tool.SetAction(command, (session, parsed) =>
        {
            string name = parsed.GetRequiredValue(target);
            if (WorkerProcess.IsThisOne)
                return LookReader.Run(session, name, options.ForTarget(parsed), options.ForAnalysis(parsed));
            if (File.Exists(name))
                throw new UsageException($"watch needs a process, and {name} is a file: it does not change", $"type dotnet-async2 {name} to see what is in it");
            options.Check(parsed);
            OtlpEndpoint? endpoint = parsed.GetValue(otlp) is { } text ? OtlpEndpoint.Parse(text, Environment.GetEnvironmentVariable) : null;
            return Run(session, tool.Arguments, options.Plan(parsed), options.ForAnalysis(parsed), endpoint);
        });
        return command;
    }

    private static int Run(ToolSession session, string[] arguments, WatchPlan plan, AnalysisOptions analysis, OtlpEndpoint? endpoint)
    {
        using var ended = CancellationTokenSource.CreateLinkedTokenSource(session.Cancellation);
        var saver = new WatchSaver(plan, TimeProvider.System);
        var models = new Lock();
        using var source = new LookSource(arguments);
        using OtlpSender? sender = endpoint is null ? null : new OtlpSender(endpoint);
        Terminal terminal = session.Output;
        if (terminal.CanRedraw)
            return OnScreen(terminal.Console!, terminal.Ascii);
        using var writer = new StreamWriter(Console.OpenStandardOutput(), new System.Text.UTF8Encoding(false));
        return Loop(new PlainView(session.Text(toFile: false)(writer), writer, session.Verbose));

        int Loop(IWatchView shown)
        {
            int exit;
            using (IWatchView view = sender is null ? shown : new OtlpView(shown, sender, endpoint!.Address, withHost: analysis.Values != ShownValues.None))
                exit = new WatchLoop(source, new WatchSeries(analysis), plan, saver, view, new ProcessorMeter(), models, ended.Token).Run();
            return exit == ExitCodes.Fine && sender is { HasSentAll: false } ? ExitCodes.Partial : exit;
        }

        int OnScreen(IAnsiConsole console, bool ascii)
        {
            var view = new LiveView(console, ascii, new WatchState(analysis.IncludeFramework), models, saver.TakeNow, ended.Cancel);
            int exit = Loop(view);
            // What was said while the screen was there, and is worth knowing now.
            foreach (string sentence in view.Said)
                Console.Out.WriteLine(SafeText.Escape(sentence, ascii));
            return exit;
        }
    }
}
