using System.CommandLine;
using Async2.Analysis.Rendering;
using Async2.Dump.Cli;
using Async2.Dump.Commands;
using Async2.Dump.Terminals;

ParseResult parsed = new ToolCommands().Parse(args);
if (parsed.Errors.Count == 0)
    return parsed.Invoke(new InvocationConfiguration { EnableDefaultExceptionHandler = false, ProcessTerminationTimeout = null });

StyledText notes = Terminal.Error(noColor: args.Contains("--no-color"), ascii: args.Contains("--ascii")).Open(Console.Error);
string messages = string.Join(" ", parsed.Errors.Select(error => error.Message).Distinct());
string command = string.Join(" ", parsed.CommandResult.Path());
new Failure(string.Join(' ', messages.Split([' ', '\n', '\r', '\t'], StringSplitOptions.RemoveEmptyEntries)), $"type {command} --help", ExitCodes.Usage).Write(notes, null);
return ExitCodes.Usage;
