using System.CommandLine;
using Async2.Dump.Cli;
using Async2.Dump.Dap;

namespace Async2.Dump.Commands;

/// <summary><c>dap</c>: a debug adapter on standard input and output (docs/dap.md). Without options it starts before any command line is parsed.</summary>
internal static class DapCommand
{
    public static Command Create(ToolCommands tool)
    {
        var command = new Command(DapProcess.Command, "Speaks the Debug Adapter Protocol on standard input and output, for editors.");
        tool.SetAction(command, (session, _) => Run(session));
        return command;
    }

    private static int Run(ToolSession session)
    {
        // After a request to stop, the client expects no more answers.
        using CancellationTokenRegistration ends = session.Cancellation.Register(() => Environment.Exit(ExitCodes.Interrupted));
        return DapProcess.Run(quiet: !session.Verbose);
    }
}
