using Async2.Analysis;
using Async2.Analysis.Query;
using Async2.Analysis.Rendering;
using Async2.Analysis.Rendering.Formats;
using Async2.Analysis.Rendering.Text;
using Async2.Sos.Hosting;
using Async2.Sos.Text;

namespace Async2.Sos;

/// <summary>One run of the command: ask, then write.</summary>
internal static class DumpAsync2Answer
{
    // After an interruption nobody wants to see ten thousand stacks.
    private const int LimitIfInterrupted = 10;

    public static void Run(DumpAsync2Options asked, Answers answers, HostConsole console)
    {
        AnalysisOptions options = asked.ForAnalysis;
        StackQuery query = asked.Query;
        CancellationToken cancellation = console.Cancellation;
        StackView snapshot = Named(answers.To(options, cancellation), asked);
        bool isPartial = cancellation.IsCancellationRequested;
        if (isPartial)
            query = query with { Limit = Math.Min(query.Limit ?? LimitIfInterrupted, LimitIfInterrupted) };
        using var writer = new ConsoleText(console, isPartial ? CancellationToken.None : cancellation);
        try
        {
            Write(asked, snapshot, query, answers, writer);
        }
        catch (OperationCanceledException) when (cancellation.IsCancellationRequested)
        {
            writer.Cut("(interrupted: there is more)");
        }
    }

    private static void Write(DumpAsync2Options asked, StackView snapshot, StackQuery query, Answers answers, ConsoleText text)
    {
        if (asked.Json)
        {
            using var stream = new TextStream(text.Raw);
            new JsonRenderer().Render(snapshot, new RenderOptions { Limit = query.Limit, GroupBy = query.GroupBy, FindingsOnly = asked.Findings }, stream);
            return;
        }
        SummaryText.Write(text, snapshot, asked.Findings, all: asked.Findings);
        TargetText.Write(text, snapshot.Target, verbose: false);
        if (asked.Findings)
            ProblemsText.Write(text, snapshot, all: false, more: "--json");
        else
            WriteStacks(asked, snapshot, query, answers, text);
    }

    private static void WriteStacks(DumpAsync2Options asked, StackView snapshot, StackQuery query, Answers answers, ConsoleText text)
    {
        if (asked.Stats)
            new StatsTable(text, answers.Types, query).Write(snapshot);
        else if (asked.Coalesce)
            new StackTrees(text, answers.Types).Write(snapshot, query);
        else
            new StackLists(text, answers.Types).Write(snapshot, query);
        ProblemsText.Write(text, snapshot, all: false, more: "--json");
    }

    // In the words of this command, not of the tool.
    private static StackView Named(StackView snapshot, DumpAsync2Options asked)
        => snapshot.Matching is { } matching ? snapshot with { Matching = matching with { Filter = asked.FilterText } } : snapshot;
}
