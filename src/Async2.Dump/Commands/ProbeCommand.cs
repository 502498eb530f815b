using System.CommandLine;
using System.Text.Json;
using Async2.Analysis.Targets.Processes;
using Async2.Dump.Processes;

namespace Async2.Dump.Commands;

/// <summary>One line of <c>ps</c> as JSON. Hidden: <see cref="IsolatedProbe"/> starts it.</summary>
internal static class ProbeCommand
{
    public static Command Create(ToolCommands tool)
    {
        var command = new Command(IsolatedProbe.Command, "One process of ps.") { Hidden = true };
        var pid = new Argument<int>("PID");
        command.Arguments.Add(pid);
        tool.SetAction(command, (session, parsed) =>
        {
            int id = parsed.GetValue(pid);
            RunningProcess process = ProcessList.Find(id) ?? new RunningProcess(id, "?", null, null);
            ProcessRow row = ProcessProbe.At(process, session.Cancellation);
            Console.Out.Write(JsonSerializer.Serialize(row, ProcessJson.Default.ProcessRow));
            return Cli.ExitCodes.Fine;
        });
        return command;
    }
}
