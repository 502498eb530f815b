using Async2.Analysis;
using Async2.Analysis.Rendering;
using Async2.Analysis.Snapshots;
using Async2.Analysis.Targets;
using Async2.Dump.Cli;

namespace Async2.Dump.Samples;

/// <summary>The demonstration: the same program seen live and in a dump, with a line before each step that says what happens.</summary>
internal sealed class DemoShow(ToolSession session, StyledText text)
{
    /// <summary>Plays it; true when both views are complete and agree.</summary>
    public bool Play()
    {
        Step("1. A shop on a bad day is started: 400 orders, and a payment gateway that answers nobody.");
        using SampleProcess sample = SampleProcess.Start();
        Step($"2. Live. You would type: dotnet-async2 {sample.Id}");
        AsyncSnapshot? live = Show(() => Target.OpenProcess(sample.Id, new TargetOptions()));
        session.Cancellation.ThrowIfCancellationRequested();

        using var scratch = new ScratchFolder();
        string file = scratch.PathOf("shop.dmp");
        Step($"3. From a dump. You would type: dotnet-async2 dump collect {sample.Id} -o shop.dmp && dotnet-async2 shop.dmp");
        AsyncSnapshot? dumped = Show(() =>
        {
            DumpWriter.Write(sample.Id, file);
            return Target.OpenDump(file, new TargetOptions());
        });
        bool agree = live is not null && dumped is not null && Compare(live, dumped);
        WriteNext();
        return agree;
    }

    // One view that fails must not hide the other: without the right to ptrace, the dump still works.
    private AsyncSnapshot? Show(Func<Target> open)
    {
        try
        {
            AsyncSnapshot snapshot = StackReport.Read(session, open, new AnalysisOptions());
            TextRenderer.Render(snapshot, new RenderOptions { Verbose = session.Verbose }, text);
            return snapshot;
        }
        catch (TargetException exception)
        {
            session.Progress.Clear();
            Failure.From(exception).Write(text, session.Verbose ? exception : null);
            return null;
        }
    }

    private bool Compare(AsyncSnapshot live, AsyncSnapshot dumped)
    {
        (IReadOnlyList<string> onlyLive, IReadOnlyList<string> onlyDump) = Agreement.Differences(live, dumped);
        bool agree = onlyLive.Count + onlyDump.Count == 0;
        text.Line();
        text.Write(agree ? TextRole.Good : TextRole.Problem, agree ? "both agree" : "they differ");
        text.Line($": live {Words.Count(live.Totals.Stacks, "stack")}, dump {Words.Count(dumped.Totals.Stacks, "stack")}");
        foreach (string stack in onlyLive)
            text.Line("  only live: " + stack);
        foreach (string stack in onlyDump)
            text.Line("  only in the dump: " + stack);
        return agree && live.Complete && dumped.Complete;
    }

    private void Step(string words)
    {
        text.Line();
        text.Write(TextRole.Heading, words);
        text.Line();
        text.Line();
    }

    private void WriteNext()
    {
        text.Line();
        text.Line("The sample and its dump are gone again. Try next:");
        foreach ((string command, string meaning) in Next)
        {
            text.Write(TextRole.Heading, "  " + command.PadRight(32));
            text.Write(TextRole.Dim, meaning);
            text.Line();
        }
    }

    private static readonly (string Command, string Meaning)[] Next =
    [
        ("dotnet-async2 ps", "your own .NET processes"),
        ("dotnet-async2 PID", "what one of them waits for"),
        ("dotnet-async2 dump collect PID", "a dump to take away"),
        ("dotnet-async2 doctor PID", "when something does not work"),
    ];
}
