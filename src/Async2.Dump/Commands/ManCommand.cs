using System.CommandLine;
using Async2.Dump.Cli;
using Async2.Dump.Completions;

namespace Async2.Dump.Commands;

/// <summary><c>man</c>: a page for <c>man dotnet-async2</c>, made from the commands and options themselves.</summary>
internal static class ManCommand
{
    public const string Name = "man";

    public static Command Create(ToolCommands tool)
    {
        var command = new Command(Name, "Prints a page for man(1): dotnet-async2 man > ~/.local/share/man/man1/dotnet-async2.1");
        tool.SetAction(command, (_, parsed) =>
        {
            using var writer = new StreamWriter(Console.OpenStandardOutput(), new System.Text.UTF8Encoding(false)) { NewLine = "\n" };
            new ManualPage(writer).Write((RootCommand)parsed.RootCommandResult.Command);
            return ExitCodes.Fine;
        });
        return command;
    }
}
