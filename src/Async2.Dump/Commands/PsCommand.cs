using System.Collections.Immutable;
using System.CommandLine;
using System.Text.Json;
using Async2.Analysis.Rendering.Text;
using Async2.Analysis.Targets.Contract;
using Async2.Analysis.Targets.Processes;
using Async2.Analysis.Targets.Stopping;
using Async2.Dump.Cli;
using Async2.Dump.Processes;

namespace Async2.Dump.Commands;

/// <summary><c>ps</c>: the .NET processes that the user can read, with their state in a word.</summary>
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
        // All would be unreadable, for the same reason.
        if (AccessDenial.OfAll is { } access)
            throw new TargetException($"No process can be read: {access.Why}.", access.Fix);
        ImmutableArray<RunningProcess> processes = ProcessList.All();
        session.Progress.Report(new AnalysisProgress("looking at " + DisplayText.Count(processes.Length, "process", "processes"), null));
        ProcessRow[] rows = new ProcessSurvey(At, ProcessSurvey.Limit).Look(processes, session.Cancellation);
        session.Progress.Clear();
        AnswerFile.Write(null, stream => Write(session, stream, rows, json));
        return session.Cancellation.IsCancellationRequested ? ExitCodes.Interrupted : ExitCodes.Fine;
    }

    // One that has ended meanwhile does not belong into the list.
    private static ProcessRow? At(RunningProcess process)
    {
        ProcessRow row = IsolatedProbe.At(process);
        return row.Reason is not null && ProcessList.Find(process.Pid) is null ? null : row;
    }

    private static void Write(ToolSession session, Stream stream, ProcessRow[] rows, bool json)
    {
        using var writer = new StreamWriter(stream, leaveOpen: true);
        if (json)
            writer.WriteLine(JsonSerializer.Serialize(new ProcessDocument(ProcessDocument.SchemaId, rows), ProcessJson.Default.ProcessDocument));
        else
            ProcessTable.Write(session.Text(toFile: false)(writer), rows);
    }
}
