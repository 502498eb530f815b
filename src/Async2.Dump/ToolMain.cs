using System.CommandLine;
using System.Runtime.CompilerServices;
using Async2.Analysis.Rendering.Text;
using Async2.Dump.Cli;
using Async2.Dump.Commands;
using Async2.Dump.Terminals;
using Async2.Dump.Workers;

namespace Async2.Dump;

/// <summary>The tool once its command line has to be parsed: in every process except a supervisor whose worker succeeds.</summary>
internal static class ToolMain
{
    /// <summary>Runs a command line and returns its exit code; a worker ends here.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int Run(string[] args)
    {
        int code = RunParsed(args);
        if (WorkerProcess.IsThisOne)
            WorkerEnd.Prepare(code);
        return code;
    }

    /// <summary>The target of a command line; null if it reads none.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static string? Target(string[] args)
    {
        var tool = Commands(args);
        return tool.TargetOf(tool.Parse());
    }

    /// <summary>Reports why nothing could be read, with the output options of the command line.</summary>
    /// <returns>The exit code.</returns>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int Fail(string[] args, Exception exception)
    {
        var tool = Commands(args);
        using var session = new ToolSession(tool.Parse(), tool.Output);
        return session.Fail(exception);
    }

    private static int RunParsed(string[] args)
    {
        ParseResult parsed = Commands(args).Parse();
        if (parsed.Errors.Count == 0)
            return parsed.Invoke(new InvocationConfiguration { EnableDefaultExceptionHandler = false, ProcessTerminationTimeout = null });

        StyledText notes = Terminal.Error(noColor: args.Contains("--no-color"), ascii: args.Contains("--ascii")).Open(Console.Error);
        string messages = string.Join(" ", parsed.Errors.Select(error => error.Message).Distinct());
        string command = string.Join(" ", parsed.CommandResult.Path());
        new Failure(string.Join(' ', messages.Split([' ', '\n', '\r', '\t'], StringSplitOptions.RemoveEmptyEntries)), $"type {command} --help", ExitCodes.Usage).Write(notes, null);
        return ExitCodes.Usage;
    }

    private static ToolCommands Commands(string[] args)
    {
        ToolHost.Register();
        return new(args, Supervisor.Run);
    }
}
