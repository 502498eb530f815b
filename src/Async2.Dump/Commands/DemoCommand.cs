using System.CommandLine;
using Async2.Dump.Cli;
using Async2.Dump.Samples;

namespace Async2.Dump.Commands;

/// <summary><c>demo</c>: the first command for new users.</summary>
internal static class DemoCommand
{
    public static Command Create(ToolCommands tool)
    {
        var command = new Command("demo", "Starts a sample, shows its stacks live and from a dump, and cleans up.");
        tool.SetAction(command, (session, _) => Run(session));
        return command;
    }

    private static int Run(ToolSession session)
    {
        try
        {
            bool agree = false;
            AnswerFile.Write(null, stream => agree = Run(session, stream));
            return agree ? ExitCodes.Fine : ExitCodes.Partial;
        }
        catch (OperationCanceledException)
        {
            session.Notes.Line("interrupted; the sample was stopped and its dump deleted");
            return ExitCodes.Interrupted;
        }
    }

    private static bool Run(ToolSession session, Stream stream)
    {
        using var writer = new StreamWriter(stream, leaveOpen: true);
        using var show = new DemoRun(session, session.Text(toFile: false)(writer), writer.Flush);
        return show.Run();
    }
}
