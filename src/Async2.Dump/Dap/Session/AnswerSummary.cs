using System.Text.Json;
using Async2.Analysis.Analyses;
using Async2.Analysis.Model;
using Async2.Analysis.Query;
using Async2.Analysis.Rendering.Text;
using Async2.Dump.Dap.Protocol;

namespace Async2.Dump.Dap.Session;

/// <summary>A summary of the answer, as a client shows it when a program stops.</summary>
internal sealed class AnswerSummary(DapCapture capture)
{
    private StackView Snapshot => capture.Snapshot;

    /// <summary>The first sentence of the text answer.</summary>
    public string Sentence => DapText.Long(SummaryText.Sentence(Snapshot));

    /// <summary>The summary, findings, the target, and what could not be read.</summary>
    public string Lines
    {
        get
        {
            using var writer = new StringWriter();
            var text = new PlainText(writer);
            SummaryText.Write(text, Snapshot);
            TargetText.Write(text, Snapshot.Target, verbose: false);
            if (!Snapshot.Problems.IsEmpty || !Snapshot.Complete)
                ProblemsText.Write(text, Snapshot, all: false, more: "dotnet-async2 --verbose");
            return DapText.Lines(writer.ToString());
        }
    }

    /// <summary>How many stacks are not listed as threads; null if all are.</summary>
    public string? LeftOut => capture.Threads.LeftOut == 0 ? null
        : $"{DisplayText.Count(capture.Threads.LeftOut, "more stack")} not listed: find them by a query here, method:Pay for one (help tells more), or set maxThreads above {DisplayText.Number(capture.Threads.Shown.Count())}.";

    /// <summary>Which idle loops are not listed as threads; null if all are.</summary>
    public string? Idle => capture.Threads.Idle.IsEmpty ? null
        : DapText.Long($"{IdleText.Count(capture.Threads.Idle)} not listed: {IdleText.Names(capture.Threads.Idle)}. A query finds them: {capture.Threads.Idle[0].Id} for one.");

    /// <summary>Something is wrong, not merely slow.</summary>
    private bool IsAlarm => Worst is not null || Deadlocked.Any();

    private Finding? Worst => Snapshot.Findings.FirstOrDefault(FindingRules.IsAlarm);

    private IEnumerable<LogicalStack> Deadlocked => Snapshot.Stacks.Where(stack => stack.State == StackState.Deadlocked);

    /// <summary>Makes a client show a stack.</summary>
    public void SendStopped(DapConnection client, int thread, bool isChosen = false) => client.Event("stopped", writer =>
    {
        bool isAlarm = IsAlarm && !isChosen;
        // Nothing was thrown: clients that know an exception would show one.
        writer.WriteString("reason", "pause");
        // VS Code shows it beside the thread's name: a sentence would leave no room for the name.
        writer.WriteString("description", isAlarm ? DapText.Name(Worst?.Rule ?? "deadlock") : "Paused");
        if (isAlarm)
            writer.WriteString("text", Alarm);
        writer.WriteNumber("threadId", thread);
        writer.WriteBoolean("allThreadsStopped", true);
        writer.WriteBoolean("preserveFocusHint", false);
    });

    /// <summary>Writes the answer to <c>exceptionInfo</c>.</summary>
    public void WriteException(Utf8JsonWriter writer)
    {
        writer.WriteString("exceptionId", IsAlarm ? Alarm : "paused");
        writer.WriteString("description", Sentence);
        writer.WriteString("breakMode", "always");
        writer.WriteStartObject("details");
        writer.WriteString("message", Lines);
        writer.WriteEndObject();
    }

    /// <summary>What is wrong, in a sentence.</summary>
    private string Alarm => Worst is { } worst ? DapText.Long($"{worst.Rule}: {worst.Text}")
        : "deadlock: " + string.Join(", ", Deadlocked.Take(10).Select(stack => stack.Id));
}
