using System.CommandLine;
using Async2.Dump.Cli;

namespace Async2.Dump.Commands;

/// <summary><c>completion SHELL</c>: the script with which a shell completes this tool's command lines. It asks the tool itself (<see cref="Completions.Suggestions"/>).</summary>
internal static class CompletionCommand
{
    public const string Name = "completion";

    private static readonly string[] Shells = ["bash", "zsh", "fish", "powershell"];

    public static Command Create(ToolCommands tool)
    {
        var command = new Command(Name, "Prints a script that has a shell complete commands, options and values.");
        var shell = new Argument<string>("SHELL") { Description = string.Join(", ", Shells), HelpName = "SHELL" };
        shell.AcceptOnlyFromAmong(Shells);
        command.Arguments.Add(shell);
        tool.SetAction(command, (_, parsed) => Print(parsed.GetRequiredValue(shell)));
        return command;
    }

    private static int Print(string shell)
    {
        using Stream script = typeof(CompletionCommand).Assembly.GetManifestResourceStream($"completion.{shell}")!;
        using Stream output = Console.OpenStandardOutput();
        script.CopyTo(output);
        return ExitCodes.Fine;
    }
}
