using System.CommandLine;
using Async2.Analysis.Analyses;
using Async2.Analysis.Targets;
using Async2.Dump.Cli;

namespace Async2.Dump.Commands;

/// <summary><c>analyze TARGET</c>; the root command does the same, so that a bare TARGET is enough.</summary>
internal static class AnalyzeCommand
{
    public static Command Create(ToolCommands tool)
    {
        var command = new Command("analyze", "Shows what every async method waits for: logical stacks, grouped, with a summary first.");
        AddTo(command, tool, ArgumentArity.ZeroOrOne);
        return command;
    }

    /// <summary>Adds target, options and action to a command; returns the target argument.</summary>
    public static Argument AddTo(Command command, ToolCommands tool, ArgumentArity arity)
    {
        var target = new Argument<string?>("TARGET") { Description = "Process id, process name, dump file, or snapshot", Arity = arity };
        // The parser takes a mistyped option of the root command for its TARGET.
        target.Validators.Add(result =>
        {
            if (result.Tokens is [{ Value: ['-', .. string digits] option }])
                result.AddError(digits.Length > 0 && digits.All(char.IsAsciiDigit) ? $"TARGET cannot be '{option}': process ids are above 0." : $"Unknown option '{option}'.");
        });
        var explain = new Option<string?>("--explain") { Description = "What a rule of findings means, how it is known, what to do", HelpName = "RULE" };
        command.Arguments.Add(target);
        command.Options.Add(explain);
        tool.Stacks.AddTo(command);
        // A page is about no target.
        tool.SetReadingAction(command, parsed => parsed.GetValue(explain) is null ? parsed.GetValue(target) : null, (session, parsed) =>
            parsed.GetValue(explain) is { } rule ? Explain(rule) : Run(session, parsed, tool, parsed.GetValue(target)));
        return target;
    }

    private static int Explain(string rule)
    {
        Console.Out.Write(FindingRules.PageOf(rule) ?? throw new UsageException($"there is no rule '{rule}'", $"one of: {string.Join(", ", FindingRules.All)}"));
        return ExitCodes.Fine;
    }

    private static int Run(ToolSession session, ParseResult parsed, ToolCommands tool, string? target)
    {
        if (string.IsNullOrWhiteSpace(target))
            throw new UsageException("no TARGET given", "type dotnet-async2 PID, dotnet-async2 FILE.dmp, or dotnet-async2 ps to see processes");
        return StackReport.Run(session, parsed, tool.Stacks, target, options => Target.Open(target, options));
    }
}
