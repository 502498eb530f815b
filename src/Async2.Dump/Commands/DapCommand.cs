using System.CommandLine;
using Async2.Dump.Cli;
using Async2.Dump.Dap;

namespace Async2.Dump.Commands;

/// <summary><c>dap</c>: a debug adapter on standard input and output (docs/dap.md).</summary>
internal static class DapCommand
{
    public static Command Create(ToolCommands tool)
    {
        var command = new Command("dap", "Speaks the Debug Adapter Protocol on standard input and output, for editors.");
        tool.SetAction(command, (session, _) => Run(session));
        return command;
    }

    private static int Run(ToolSession session)
    {
        if (!Console.IsInputRedirected && !Supervision.IsReader)
            session.Notes.Line("An editor's debug client has to start this: docs/dap.md. Ctrl-C ends it.");
        using Stream input = Console.OpenStandardInput(), output = Console.OpenStandardOutput();
        SilenceOthers();
        using CancellationTokenRegistration ends = session.Cancellation.Register(() => Environment.Exit(ExitCodes.Interrupted));
        if (!Supervision.IsReader)
        {
            using DapReader reader = DapReader.Start();
            return new DapRelay(input, output, reader).Run();
        }
        ReaderProcess.Enter(quiet: !session.Verbose);
        using var server = new DapServer(input, output, TargetReader.Read);
        return server.Run() ? ExitCodes.Fine : ExitCodes.Usage;
    }

    // Nobody but the protocol may write to standard output; the streams of .NET are copies of the file that native code knows.
    private static void SilenceOthers()
    {
        const int standardOutput = 1;
        Console.SetOut(Console.Error);
        if (OperatingSystem.IsLinux())
            NativeProcess.Silence(standardOutput);
    }
}
