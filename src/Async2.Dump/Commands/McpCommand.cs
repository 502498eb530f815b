using System.CommandLine;
using System.Runtime.CompilerServices;
using Async2.Dump.Agents;
using Async2.Dump.Cli;

namespace Async2.Dump.Commands;

/// <summary><c>mcp</c>: a server of the Model Context Protocol on standard input and output (docs/agents.md).</summary>
internal static class McpCommand
{
    public const string Name = "mcp";

    public static Command Create(ToolCommands tool)
    {
        var command = new Command(Name, "Serves agents on standard input and output (Model Context Protocol): what a process waits for, findings, queries.");
        var processes = new Option<string[]>("--process") { Description = "A process that may be read, by id or name, or '*' for all of yours; may be repeated", HelpName = "PROCESS", DefaultValueFactory = _ => [] };
        var folders = new Option<string[]>("--folder") { Description = "A folder with dumps and snapshots that may be read and added to; may be repeated", HelpName = "DIR", DefaultValueFactory = _ => [] };
        var locals = new Option<bool>("--locals") { Description = "Arguments and locals may be read, too" };
        var tokens = new Option<int>("--max-tokens") { Description = "The most tokens of an answer", HelpName = "N", DefaultValueFactory = _ => TokenBudget.Usual };
        var values = new ValueOptions();
        foreach (Option option in (Option[])[processes, folders, locals, .. values.All, tokens])
            command.Options.Add(option);
        tool.SetAction(command, (session, parsed) => Serve(session, Checked(new()
        {
            Processes = parsed.GetRequiredValue(processes),
            Folders = parsed.GetRequiredValue(folders),
            Locals = parsed.GetValue(locals),
            Values = values.Of(parsed),
            MaxTokens = parsed.GetValue(tokens),
        })));
        return command;
    }

    private static AgentOptions Checked(AgentOptions options)
    {
        if (options.MaxTokens is < TokenBudget.Least or > TokenBudget.Most)
            throw new UsageException($"--max-tokens is {options.MaxTokens}", $"give a number from {TokenBudget.Least} to {TokenBudget.Most}");
        foreach (string folder in options.Folders)
        {
            if (!Directory.Exists(folder))
                throw new UsageException($"there is no folder '{folder}'", "name one that exists, or leave --folder out");
        }
        return options;
    }

    // A method of its own: the server's library is loaded only here.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int Serve(ToolSession session, AgentOptions options)
    {
        using CancellationTokenRegistration ends = session.Cancellation.Register(() => Environment.Exit(ExitCodes.Interrupted));
        using Stream input = Console.OpenStandardInput(), output = Console.OpenStandardOutput();
        // Only messages of the protocol go there.
        Console.SetOut(TextWriter.Null);
        using var server = new AgentServer(options);
        server.Run(input, output, CancellationToken.None);
        return ExitCodes.Fine;
    }
}
