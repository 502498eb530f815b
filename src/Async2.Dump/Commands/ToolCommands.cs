using System.CommandLine;
using System.CommandLine.Help;
using Async2.Dump.Cli;
using Async2.Dump.Completions;
using Async2.Dump.Processes;
using Async2.Dump.Workers;

namespace Async2.Dump.Commands;

/// <summary>The command tree, and the only way to run a command.</summary>
/// <param name="args">The command line.</param>
/// <param name="supervise">Runs a command line that reads a target in a worker; returns the exit code.</param>
internal sealed class ToolCommands(string[] args, Func<string[], int> supervise)
{
    // In help order. Only the commands that the command line names are created: each takes time.
    private static readonly (string Name, Func<ToolCommands, Command> Create)[] Commands =
    [
        ("analyze", AnalyzeCommand.Create),
        ("dump", DumpCommand.Create),
        ("snapshot", SnapshotCommand.Create),
        ("check", CheckCommand.Create),
        ("diff", DiffCommand.Create),
        (WatchCommand.Name, WatchCommand.Create),
        ("hang", HangCommand.Create),
        ("ps", PsCommand.Create),
        ("layout", LayoutCommand.Create),
        ("doctor", DoctorCommand.Create),
        ("demo", DemoCommand.Create),
        ("sos", SosCommand.Create),
        ("dap", DapCommand.Create),
        (McpCommand.Name, McpCommand.Create),
        (CompletionCommand.Name, CompletionCommand.Create),
        (ManCommand.Name, ManCommand.Create),
        (IsolatedProbe.Command, ProbeCommand.Create),
    ];

    private readonly Dictionary<Command, Func<ParseResult, string?>> _targets = [];

    /// <summary>The command line.</summary>
    public string[] Arguments => args;

    /// <summary>Options of commands that show stacks.</summary>
    public StackOptions Stacks { get; } = new();

    /// <summary>Filters of commands that have their own.</summary>
    public List<QueryOptions> Queries { get; } = [];

    /// <summary>Options of every command.</summary>
    public OutputOptions Output { get; } = new();

    /// <summary>Parses a command line.</summary>
    public ParseResult Parse()
    {
        if (args.Contains(ManCommand.Name))
            return Parse(Commands, describes: true);
        ParseResult parsed = Parse(Array.FindAll(Commands, command => args.Contains(command.Name)));
        if (parsed.Errors.Count == 0 && parsed.Action is not HelpAction && !args.Any(ArgumentScan.IsIndirect))
            return parsed;
        // Help, errors and the manual need all commands and values.
        return Parse(Commands, describes: true);
    }

    private ParseResult Parse((string Name, Func<ToolCommands, Command> Create)[] commands, bool describes = false)
    {
        RootCommand root = Create(commands, describes, out Argument target);
        foreach (QueryOptions query in describes ? Queries.Append(Stacks.Query) : [])
            query.Describe();
        ParseResult parsed = root.Parse(args);
        // Help of a command would print the root's own TARGET before the command's name.
        target.Hidden = parsed.CommandResult.Command != root;
        return parsed;
    }

    private RootCommand Create((string Name, Func<ToolCommands, Command> Create)[] commands, bool isWhole, out Argument target)
    {
        var root = new RootCommand("""
            Shows what every async method of a .NET process or core dump waits for.

              dotnet-async2 demo                 see it work on a bundled sample
              dotnet-async2 ps                   find your process
              dotnet-async2 PID                  what it waits for, now
              dotnet-async2 dump collect PID     a dump to take away
              dotnet-async2 FILE.dmp             the same from a dump
              dotnet-async2 snapshot PID         all stacks in a small file, to ask later
              dotnet-async2 check PID            exit code 1 if something is wrong, for CI
              dotnet-async2 diff A B             what is stuck, moved, new and gone between two moments
              dotnet-async2 watch PID            the same, each second; saves a snapshot when something hangs
            """);
        if (isWhole)
            Suggestions.AddTo(root);
        Output.AddTo(root);
        target = AnalyzeCommand.AddTo(root, this, ArgumentArity.ZeroOrOne);
        foreach ((_, Func<ToolCommands, Command> create) in commands)
            root.Subcommands.Add(create(this));
        return root;
    }

    /// <summary>Sets the action of a command that reads a target, which runs in a worker.</summary>
    /// <param name="command">The command.</param>
    /// <param name="target">What it reads; null if it reads nothing.</param>
    /// <param name="run">The action; runs in the worker.</param>
    public void SetReadingAction(Command command, Func<ParseResult, string?> target, Func<ToolSession, ParseResult, int> run)
    {
        _targets[command] = target;
        SetAction(command, (session, parsed) =>
        {
            if (target(parsed) is null)
                return run(session, parsed);
            if (!WorkerProcess.IsThisOne)
                return supervise(args);
            WorkerProcess.Enter(quiet: !session.Verbose, ExitCodes.Interrupted);
            return run(session, parsed);
        });
    }

    /// <summary>The target of a command line; null if it reads none.</summary>
    public string? TargetOf(ParseResult parsed) => _targets.GetValueOrDefault(parsed.CommandResult.Command)?.Invoke(parsed);

    /// <summary>Sets the action of a command. Synchronous on purpose: see <see cref="StackReport.Read"/>.</summary>
    public void SetAction(Command command, Func<ToolSession, ParseResult, int> run) => command.SetAction(parsed =>
    {
        using var session = new ToolSession(parsed, Output);
        try
        {
            return run(session, parsed);
        }
        catch (Exception exception)
        {
            // The outermost handler: no exception leaves the tool as a raw stack trace.
            return session.Fail(exception);
        }
    });
}
