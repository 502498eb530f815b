using System.CommandLine;
using Async2.Analysis.Targets;
using Async2.Dump.Cli;

namespace Async2.Dump.Commands;

/// <summary><c>dump analyze</c> and <c>dump collect</c>: core dumps by name.</summary>
internal static class DumpCommand
{
    public static Command Create(ToolCommands tool)
    {
        var command = new Command("dump", "Analyzes or writes core dumps.");
        command.Subcommands.Add(Analyze(tool));
        command.Subcommands.Add(DumpCollectCommand.Create(tool));
        return command;
    }

    private static Command Analyze(ToolCommands tool)
    {
        var command = new Command("analyze", "The same as analyze, for a dump file only.");
        var file = new Argument<string>("FILE") { Description = "Core dump or minidump" };
        command.Arguments.Add(file);
        tool.Stacks.AddTo(command);
        tool.SetReadingAction(command, parsed => parsed.GetValue(file), (session, parsed) => StackReport.Run(
            session, parsed, tool.Stacks, parsed.GetRequiredValue(file), options => Target.OpenDump(parsed.GetRequiredValue(file), options)));
        return command;
    }
}
