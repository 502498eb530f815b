using System.CommandLine;
using System.CommandLine.Help;
using Async2.Dump.Cli;
using Async2.Dump.Processes;
using Async2.Dump.Workers;

namespace Async2.Dump.Commands;

/// <summary>The command tree, and the one way in which a command is run.</summary>
/// <param name="args">The command line.</param>
/// <param name="supervise">Has a worker run a command line that reads a target; the exit code.</param>
internal sealed class ToolCommands(string[] args, Func<string[], int> supervise)
{
    // In the order in which help lists them. Only those that a command line names are made: each takes its time.
    private static readonly (string Name, Func<ToolCommands, Command> Create)[] Commands =
    [
        ("analyze", AnalyzeCommand.Create),
        ("dump", DumpCommand.Create),
        ("snapshot", SnapshotCommand.Create),
        ("ps", PsCommand.Create),
        ("layout", LayoutCommand.Create),
        ("doctor", DoctorCommand.Create),
        ("demo", DemoCommand.Create),
        ("sos", SosCommand.Create),
        ("dap", DapCommand.Create),
        (IsolatedProbe.Command, ProbeCommand.Create),
    ];

    private readonly Dictionary<Command, Func<ParseResult, string?>> _targets = [];

    /// <summary>Options of commands that show stacks.</summary>
    public StackOptions Stacks { get; } = new();

    /// <summary>Options of every command.</summary>
    public OutputOptions Output { get; } = new();

    /// <summary>Reads a command line.</summary>
    public ParseResult Parse()
    {
        ParseResult parsed = Parse(Array.FindAll(Commands, command => args.Contains(command.Name)));
        if (parsed.Errors.Count == 0 && parsed.Action is not HelpAction && !args.Any(CommandWords.IsIndirect))
            return parsed;
        // What is said about commands and values has to know all of them.
        Stacks.Query.Describe();
        return Parse(Commands);
    }

    private ParseResult Parse((string Name, Func<ToolCommands, Command> Create)[] commands)
    {
        RootCommand root = Create(commands, out Argument target);
        ParseResult parsed = root.Parse(args);
        // Help of a command would print the root's own TARGET before the command's name.
        target.Hidden = parsed.CommandResult.Command != root;
        return parsed;
    }

    private RootCommand Create((string Name, Func<ToolCommands, Command> Create)[] commands, out Argument target)
    {
        var root = new RootCommand("""
            Shows what every async method of a .NET process or core dump waits for.

              dotnet-async2 demo                 see it work on a bundled sample
              dotnet-async2 ps                   find your process
              dotnet-async2 PID                  what it waits for, now
              dotnet-async2 dump collect PID     a dump to take away
              dotnet-async2 FILE.dmp             the same from a dump
              dotnet-async2 snapshot PID         all stacks in a small file, to ask later
            """);
        Output.AddTo(root);
        target = AnalyzeCommand.AddTo(root, this, ArgumentArity.ZeroOrOne);
        foreach ((_, Func<ToolCommands, Command> create) in commands)
            root.Subcommands.Add(create(this));
        return root;
    }

    /// <summary>Gives a command that reads a target its work, which a worker does.</summary>
    /// <param name="command">The command.</param>
    /// <param name="target">What it reads; null when it will read nothing.</param>
    /// <param name="run">The work; runs in the reader.</param>
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

    /// <summary>What a command line reads; null when it reads nothing.</summary>
    public string? TargetOf(ParseResult parsed) => _targets.GetValueOrDefault(parsed.CommandResult.Command)?.Invoke(parsed);

    /// <summary>Gives a command its work. Synchronous on purpose: see <see cref="StackReport.Read"/>.</summary>
    public void SetAction(Command command, Func<ToolSession, ParseResult, int> run) => command.SetAction(parsed =>
    {
        using var session = new ToolSession(parsed, Output);
        try
        {
            return run(session, parsed);
        }
        catch (Exception exception)
        {
            // The door of the tool: nothing leaves it as a raw stack trace.
            return session.Fail(exception);
        }
    });
}
