using Async2.Analysis;
using Async2.Analysis.Query;
using Async2.Analysis.Rendering;
using Async2.Analysis.Rendering.Formats;
using Async2.Analysis.Rendering.Text;
using Async2.Analysis.Targets.Contract;
using Async2.Analysis.Targets.Processes;
using Async2.Dump.Cli;

namespace Async2.Dump.Hangs;

/// <summary>The other .NET processes of a test run: those that tests have started, for one of which a test may wait, and a runner whose tests are in another process. Each briefly; one that cannot be read is named.</summary>
/// <param name="session">Of the command.</param>
/// <param name="text">Gets it.</param>
/// <param name="options">How to open each.</param>
/// <param name="analysis">What to read.</param>
internal sealed class OtherProcesses(ToolSession session, StyledText text, TargetOptions options, AnalysisOptions analysis)
{
    /// <summary>How many are read.</summary>
    public const int Most = 4;

    private const int MostStacks = 5;

    /// <summary>Writes those that a process has started; nothing if there are none.</summary>
    /// <param name="pid">Process id.</param>
    /// <param name="except">One that was shown already.</param>
    public void WriteStartedBy(int pid, int? except)
    {
        RunningProcess[] started = [.. ProcessList.StartedBy(pid).Where(process => process.Pid != except)];
        foreach (RunningProcess process in started.Take(Most))
        {
            WriteHead(FormattableString.Invariant($"process {process.Pid}, started by the tests: ") + text.Safe(process.Name));
            try
            {
                using HungProcess read = HungProcess.Of(session, FormattableString.Invariant($"{process.Pid}"), options, analysis);
                Write(read.Read.Ask(new AnalysisOptions()));
            }
            catch (TargetException e)
            {
                session.Progress.Clear();
                text.Line($"it could not be read: {text.Safe(e.Message)}");
            }
        }
        if (started.Length > Most)
            text.Line(FormattableString.Invariant($"... and {started.Length - Most} more processes; dotnet-async2 ps lists them"));
    }

    /// <summary>Writes the process that has started the one with the tests.</summary>
    /// <param name="view">Of it.</param>
    public void WriteRunner(StackView view)
    {
        WriteHead(FormattableString.Invariant($"process {view.Target.Pid}, the runner"));
        Write(view);
    }

    private void WriteHead(string head)
    {
        text.Line();
        text.Write(TextRole.Heading, head);
        text.Line();
    }

    private void Write(StackView view)
    {
        FindingText.Write(text, view.Findings);
        TextRenderer.Render(view with { Findings = [] }, new RenderOptions { Limit = MostStacks }, text);
    }
}
