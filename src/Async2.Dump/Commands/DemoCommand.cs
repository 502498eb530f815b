using System.CommandLine;
using Async2.Dump.Cli;
using Async2.Dump.Samples;

namespace Async2.Dump.Commands;

/// <summary><c>demo</c>: the first thing a newcomer runs.</summary>
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
        bool agree = false;
        AnswerFile.Write(null, stream =>
        {
            using var writer = new StreamWriter(stream, leaveOpen: true);
            using var show = new DemoShow(session, session.Text(toFile: false)(writer), writer.Flush);
            agree = show.Play();
        });
        return session.Cancellation.IsCancellationRequested ? ExitCodes.Interrupted : agree ? ExitCodes.Fine : ExitCodes.Incomplete;
    }
}
