using System.CommandLine;
using Async2.Analysis.Layouts.Descriptions;
using Async2.Analysis.Layouts.Reporting;
using Async2.Analysis.Targets;
using Async2.Dump.Cli;
using Async2.Dump.Layouts;

namespace Async2.Dump.Commands;

/// <summary><c>layout show</c> and <c>layout verify</c>: what is known about a runtime's layout, and from which source.</summary>
internal static class LayoutCommand
{
    public static Command Create(ToolCommands tool)
    {
        var command = new Command("layout", "Shows what is known about a runtime's layout, or checks a description of one.");
        command.Subcommands.Add(Show(tool));
        command.Subcommands.Add(Verify(tool));
        return command;
    }

    private static Command Show(ToolCommands tool)
    {
        var command = new Command("show", "Shows each fact about a target's layout, and its source.");
        var target = new Argument<string>("TARGET") { Description = "Process id, process name, or dump file" };
        Option<string> format = OpeningOptions.Choice("--format", "Output format", ["text", "json"]);
        var opening = new OpeningOptions();
        command.Arguments.Add(target);
        foreach (Option option in (Option[])[format, .. opening.All])
            command.Options.Add(option);
        tool.SetReadingAction(command, parsed => parsed.GetValue(target), (session, parsed) =>
        {
            opening.Check(parsed);
            LayoutReport report;
            using (Target opened = Target.Open(parsed.GetRequiredValue(target), opening.ForTarget(parsed)))
                report = LayoutReport.Of(opened, opening.Layout(parsed));
            session.Progress.Clear();
            LayoutOutput.Write(session, report, json: parsed.GetValue(format) == "json");
            return ExitCodes.Fine;
        });
        return command;
    }

    private static Command Verify(ToolCommands tool)
    {
        var command = new Command("verify", "Checks a description of a layout: lists everything that is missing or inconsistent.");
        var file = new Argument<string>("FILE") { Description = "Description of a layout: docs/layouts.md" };
        command.Arguments.Add(file);
        tool.SetAction(command, (session, parsed) => Verdict(session, parsed.GetRequiredValue(file)));
        return command;
    }

    private static int Verdict(ToolSession session, string file)
    {
        if (!File.Exists(file))
        {
            throw new UsageException(
                Directory.Exists(file) ? $"'{file}' is a folder" : $"there is no file '{file}'",
                "type dotnet-async2 layout verify and the path of a description, as in docs/layouts.md");
        }
        try
        {
            LayoutOutput.WriteVerification(session, file, LayoutVerification.Of(file));
            return ExitCodes.Fine;
        }
        catch (LayoutException e)
        {
            LayoutOutput.WriteFaults(session, file, e.Faults);
            return ExitCodes.Usage;
        }
    }
}
