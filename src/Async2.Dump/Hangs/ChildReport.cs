using Async2.Analysis;
using Async2.Analysis.Query;
using Async2.Analysis.Rendering;
using Async2.Analysis.Rendering.Formats;
using Async2.Analysis.Rendering.Text;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;
using Async2.Analysis.Targets.Processes;
using Async2.Dump.Cli;

namespace Async2.Dump.Hangs;

/// <summary>The .NET processes that the tests have started: a test may wait for one of them that hangs. Each briefly; one that cannot be read is named.</summary>
internal static class ChildReport
{
    private const int MostProcesses = 4;
    private const int MostStacks = 5;

    /// <summary>Writes all of them; nothing if there are none.</summary>
    /// <param name="session">Of the command.</param>
    /// <param name="text">Gets it.</param>
    /// <param name="pid">The tests' process.</param>
    /// <param name="options">How to open each.</param>
    /// <param name="analysis">What to read.</param>
    public static void Write(ToolSession session, StyledText text, int pid, TargetOptions options, AnalysisOptions analysis)
    {
        RunningProcess[] started = [.. ProcessList.StartedBy(pid)];
        foreach (RunningProcess process in started.Take(MostProcesses))
        {
            text.Line();
            text.Write(TextRole.Heading, FormattableString.Invariant($"process {process.Pid}, started by the tests: ") + text.Safe(process.Name));
            text.Line();
            try
            {
                StackView view = StackReport.Read(session, to => Target.Open(FormattableString.Invariant($"{process.Pid}"), to), options, analysis);
                session.Progress.Clear();
                FindingText.Write(text, view.Findings);
                TextRenderer.Render(view with { Findings = [] }, new RenderOptions { Limit = MostStacks }, text);
            }
            catch (TargetException e)
            {
                session.Progress.Clear();
                text.Line($"it could not be read: {text.Safe(e.Message)}");
            }
        }
        if (started.Length > MostProcesses)
            text.Line(FormattableString.Invariant($"... and {started.Length - MostProcesses} more processes; dotnet-async2 ps lists them"));
    }
}
