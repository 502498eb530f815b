using System.CommandLine;
using System.CommandLine.Parsing;
using Async2.Analysis;
using Async2.Analysis.Model.Labels;
using Async2.Analysis.Rendering.Text;
using Async2.Analysis.Watching;
using Async2.Dump.Cli;
using Async2.Dump.Fleets;
using Async2.Dump.Terminals;
using Async2.Dump.Watching;
using Async2.Dump.Workers;
using Spectre.Console;

namespace Async2.Dump.Commands;

/// <summary><c>watch PID</c>: a live view of a process, and snapshots of what happens while nobody looks; <c>watch '*'</c>: the same of a whole machine, as lines.</summary>
internal static class WatchCommand
{
    public const string Name = "watch";

    // Of a machine that nobody looks after.
    private const long DefaultDisk = 200L << 20;

    public static Command Create(ToolCommands tool)
    {
        var command = new Command(Name, "A live view of a process, or a log of several; saves a snapshot when something hangs.");
        var targets = new Argument<string[]>("PID") { Description = "Process id, or process name; of several, or with * in a name, what begins and ends is printed", Arity = ArgumentArity.OneOrMore };
        var options = new WatchOptions();
        var otlp = new Option<string?>("--otlp") { Description = "Send groups as metrics and findings as log records to a collector of OpenTelemetry, by OTLP over HTTP", HelpName = "http://localhost:4318" };
        command.Arguments.Add(targets);
        options.AddTo(command);
        command.Options.Add(otlp);
        tool.Queries.Add(options.Query);
        tool.SetAction(command, (session, parsed) =>
        {
            string[] names = parsed.GetRequiredValue(targets);
            if (WorkerProcess.IsThisOne)
                return LookReader.Run(session, names[0], options.ForTarget(parsed), options.ForAnalysis(parsed));
            if (names.FirstOrDefault(File.Exists) is { } file)
                throw new UsageException($"watch needs a process, and {file} is a file: it does not change", $"type dotnet-async2 {file} to see what is in it");
            options.Check(parsed);
            OtlpEndpoint? endpoint = parsed.GetValue(otlp) is { } text ? OtlpEndpoint.Parse(text, Environment.GetEnvironmentVariable) : null;
            using OtlpSender? sender = endpoint is null ? null : new OtlpSender(endpoint);
            var run = new WatchRun(session, options.Plan(parsed), options.ForAnalysis(parsed), sender, sender is null ? null : new(sender, endpoint!.Address));
            int exit = ProcessChoice.IsOfSeveral(names) ? run.Several(new ProcessChoice(names), Options(parsed), DefaultDisk) : run.One(tool.Arguments);
            return exit == ExitCodes.Fine && sender is { HasSentAll: false } ? ExitCodes.Partial : exit;
        });
        return command;
    }

    // As they were typed, for a reader of one process.
    private static string[] Options(ParseResult parsed) => [.. new[] { parsed.RootCommandResult, parsed.CommandResult }.SelectMany(command => command.Children).OfType<OptionResult>()
        .Where(option => !option.Implicit).SelectMany(option => option.Tokens.Select(token => token.Value).Prepend(option.IdentifierToken?.Value ?? option.Option.Name))];

    private sealed record WatchRun(ToolSession Session, WatchPlan Plan, AnalysisOptions Analysis, OtlpSender? Sender, OtlpNews? News)
    {
        private bool WithHost => Analysis.Values != ShownValues.None;

        public int One(string[] arguments)
        {
            using var ended = CancellationTokenSource.CreateLinkedTokenSource(Session.Cancellation);
            var saver = new WatchSaver(Plan, TimeProvider.System, BudgetOf(Plan.MaxDisk));
            var models = new Lock();
            using var source = new LookSource(arguments);
            Terminal terminal = Session.Output;
            if (terminal.CanRedraw)
                return OnScreen(terminal.Console!, terminal.Ascii);
            using var writer = new StreamWriter(Console.OpenStandardOutput(), new System.Text.UTF8Encoding(false));
            using var readers = new OutputReaders(ended.Cancel);
            return Loop(new PlainView(Session.Text(toFile: false)(writer), writer, Session.Verbose));

            int Loop(IWatchView shown)
            {
                using IWatchView view = Sender is null ? shown : new OtlpView(shown, new(Sender, WithHost), News!);
                return new WatchLoop(source, new WatchSeries(Analysis), Plan, saver, view, new ProcessorMeter(), models, ended.Token).Run();
            }

            int OnScreen(IAnsiConsole console, bool ascii)
            {
                var view = new LiveView(console, ascii, new WatchState(Analysis.IncludeFramework), models, saver.TakeNow, ended.Cancel);
                int exit = Loop(view);
                // What was said while the screen was there, and is worth knowing now.
                foreach (string sentence in view.Said)
                    Console.Out.WriteLine(SafeText.Escape(sentence, ascii));
                return exit;
            }
        }

        public int Several(ProcessChoice choice, string[] options, long defaultDisk)
        {
            using var ended = CancellationTokenSource.CreateLinkedTokenSource(Session.Cancellation);
            using var writer = new StreamWriter(Console.OpenStandardOutput(), new System.Text.UTF8Encoding(false)) { AutoFlush = true };
            using var readers = new OutputReaders(ended.Cancel);
            var reader = new NodeReader(Session.Text(toFile: false)(writer), Plan, Analysis, BudgetOf(Plan.MaxDisk ?? defaultDisk), options) { Sender = Sender, News = News };
            int exit = new NodeWatch(choice, Plan, reader, Session.Verbose, ended.Token).Run();
            reader.End();
            return exit;
        }

        private DiskBudget? BudgetOf(long? most) => most is { } bytes ? new(Plan.Folder, bytes) : null;
    }
}
