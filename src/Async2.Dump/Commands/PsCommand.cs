using System.CommandLine;
using System.Text.Json;
using Async2.Analysis;
using Async2.Analysis.Targets;
using Async2.Dump.Cli;
using Async2.Dump.Processes;

namespace Async2.Dump.Commands;

/// <summary><c>ps</c>: the .NET processes one may read, with what they do in a word.</summary>
internal static class PsCommand
{
    public static Command Create(ToolCommands tool)
    {
        var command = new Command("ps", "Lists .NET processes with their async stacks, without stopping them.");
        Option<string> format = new Option<string>("--format") { Description = "Output format", DefaultValueFactory = _ => "text" }
            .AcceptOnlyFromAmong("text", "json");
        command.Options.Add(format);
        tool.SetAction(command, (session, parsed) => Run(session, json: parsed.GetValue(format) == "json"));
        return command;
    }

    private static int Run(ToolSession session, bool json)
    {
        var rows = new List<ProcessRow>();
        foreach (RunningProcess process in ProcessList.All())
        {
            if (session.Cancellation.IsCancellationRequested)
                break;
            session.Progress.Report(new AnalysisProgress("looking at " + process.Pid, null));
            rows.Add(ProcessLook.At(process, session.Cancellation));
        }
        session.Progress.Clear();
        AnswerFile.Write(null, stream => Write(session, stream, rows, json));
        return session.Cancellation.IsCancellationRequested ? ExitCodes.Interrupted : ExitCodes.Fine;
    }

    private static void Write(ToolSession session, Stream stream, List<ProcessRow> rows, bool json)
    {
        using var writer = new StreamWriter(stream, leaveOpen: true);
        if (json)
            writer.WriteLine(JsonSerializer.Serialize(new ProcessDocument(ProcessDocument.SchemaId, rows), ProcessJson.Default.ProcessDocument));
        else
            ProcessTable.Write(session.Text(toFile: false)(writer), rows);
    }
}
