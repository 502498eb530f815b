using System.CommandLine;
using Async2.Dump.Cli;

namespace Async2.Dump.Commands;

/// <summary>The command tree, and the one way in which a command is run.</summary>
internal sealed class ToolCommands
{
    /// <summary>Options of commands that show stacks.</summary>
    public StackOptions Stacks { get; } = new();

    /// <summary>Options of every command.</summary>
    public LookOptions Look { get; } = new();

    /// <summary>All commands, in the order in which help lists them.</summary>
    public RootCommand Create()
    {
        var root = new RootCommand("Shows what every async method of a .NET process or core dump waits for.");
        Look.AddTo(root);
        AnalyzeCommand.AddTo(root, this, ArgumentArity.ZeroOrOne);
        root.Subcommands.Add(AnalyzeCommand.Create(this));
        root.Subcommands.Add(DumpCommand.Create(this));
        root.Subcommands.Add(PsCommand.Create(this));
        root.Subcommands.Add(DoctorCommand.Create(this));
        root.Subcommands.Add(DemoCommand.Create(this));
        return root;
    }

    /// <summary>Gives a command its work. Synchronous on purpose: see <see cref="StackReport.Read"/>.</summary>
    public void SetAction(Command command, Func<ToolSession, ParseResult, int> run) => command.SetAction(parsed =>
    {
        using var session = new ToolSession(parsed, Look);
        try
        {
            return run(session, parsed);
        }
        catch (Exception exception)
        {
            // The door of the tool: nothing leaves it as a raw stack trace.
            session.Progress.Clear();
            // Interrupted work may fail anywhere; the user knows why.
            Failure failure = Failure.From(session.Cancellation.IsCancellationRequested ? new OperationCanceledException() : exception);
            failure.Write(session.Notes, session.Verbose ? exception : null);
            return failure.ExitCode;
        }
    });
}
