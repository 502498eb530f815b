using System.Collections.Immutable;
using System.CommandLine;
using System.Globalization;
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
            .AcceptOnlyFromAmong("text", "json", "ndjson");
        var words = new Argument<string[]>("PROCESS") { Description = "Only these: process ids, or names of programs", Arity = ArgumentArity.ZeroOrMore };
        command.Arguments.Add(words);
        command.Options.Add(format);
        tool.SetAction(command, (session, parsed) => Run(session, parsed.GetValue(words) ?? [], parsed.GetRequiredValue(format)));
        return command;
    }

    private static int Run(ToolSession session, string[] words, string format)
    {
        // All would be unreadable, for the same reason.
        if (AccessDenial.OfAll is { } access)
            throw new TargetException($"No process can be read: {access.Why}.", access.Fix);
        ImmutableArray<RunningProcess> processes = words.Length == 0 ? ProcessList.All() : [.. words.SelectMany(Named).DistinctBy(process => process.Pid).OrderBy(process => process.Pid)];
        session.Progress.Report(new AnalysisProgress("looking at " + DisplayText.Count(processes.Length, "process", "processes"), null));
        if (format == "ndjson")
            AnswerFile.Write(null, stream => WriteLines(session, stream, processes));
        else
            WriteAll(session, processes, format);
        return session.Cancellation.IsCancellationRequested ? ExitCodes.Interrupted : ExitCodes.Fine;
    }

    private static void WriteAll(ToolSession session, ImmutableArray<RunningProcess> processes, string format)
    {
        ProcessRow[] rows = new ProcessSurvey(At, ProcessSurvey.Limit).Look(processes, session.Cancellation);
        session.Progress.Clear();
        AnswerFile.Write(null, stream => Write(session, stream, rows, format == "json"));
    }

    // For a list that somebody looks at meanwhile: all names at once, then each process when it was read.
    private static void WriteLines(ToolSession session, Stream stream, ImmutableArray<RunningProcess> processes)
    {
        using var writer = new StreamWriter(stream, leaveOpen: true) { NewLine = "\n", AutoFlush = true };
        void Say(ProcessRow row)
        {
            lock (writer)
                writer.WriteLine(JsonSerializer.Serialize(row, ProcessLineJson.Default.ProcessRow));
        }
        foreach (RunningProcess process in processes)
            Say(ProcessProbe.Unread(process) with { Verdict = ProcessRow.Pending });
        new ProcessSurvey(At, ProcessSurvey.Limit).Look(processes, session.Cancellation, Say);
        session.Progress.Clear();
    }

    private static IEnumerable<RunningProcess> Named(string word)
    {
        bool isPid = int.TryParse(word, NumberStyles.None, CultureInfo.InvariantCulture, out int pid);
        ImmutableArray<RunningProcess> found = isPid ? [.. ProcessList.All().Where(process => process.Pid == pid)] : ProcessList.FindByName(word);
        return found.Length > 0 ? found : throw new TargetException(
            isPid ? $"Process {word} is not a .NET process that this user can see." : $"No .NET process is called '{word}'.",
            "dotnet-async2 ps   lists the .NET processes you may read.");
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
