using System.CommandLine;
using Async2.Dump.Cli;
using Async2.Dump.Doctor;

namespace Async2.Dump.Commands;

/// <summary><c>doctor [TARGET]</c>: what would prevent the tool from working here, and the fix.</summary>
internal static class DoctorCommand
{
    public static Command Create(ToolCommands tool)
    {
        var command = new Command("doctor", "Checks whether the tool can work here, and prints a fix for each problem.");
        var target = new Argument<string?>("TARGET") { Description = "Process id, process name, or dump file", Arity = ArgumentArity.ZeroOrOne };
        command.Arguments.Add(target);
        tool.SetReadingAction(command, parsed => parsed.GetValue(target), (session, parsed) => Run(session, parsed.GetValue(target)));
        return command;
    }

    private static int Run(ToolSession session, string? target)
    {
        var context = new DoctorContext(session, target);
        CheckResult[] results = [.. Checks.All.SelectMany(check => check.Run(context))];
        AnswerFile.Write(null, stream =>
        {
            using var writer = new StreamWriter(stream, leaveOpen: true);
            DoctorReport.Write(session.Text(toFile: false)(writer), results);
        });
        return results.Any(result => result.Level == CheckLevel.Fail) ? ExitCodes.Unreadable : ExitCodes.Fine;
    }
}
