using Async2.Analysis;
using Async2.Analysis.Model;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;
using Async2.Analysis.Targets.Processes;
using Async2.Dump.Cli;

namespace Async2.Dump.Hangs;

/// <summary>A process of a test run, read and still open.</summary>
internal sealed class HungProcess : IDisposable
{
    private readonly Reading<AnalyzedTarget> _reading;

    private HungProcess(Reading<AnalyzedTarget> reading) => _reading = reading;

    /// <summary>What was read.</summary>
    public AnalyzedTarget Read => _reading.Answer;

    /// <summary>Why it was read more than once; null if it was not.</summary>
    public Problem? Again => _reading.Again;

    /// <summary>Reads a process.</summary>
    /// <param name="session">Of the command.</param>
    /// <param name="target">Which one.</param>
    /// <param name="options">How to open it.</param>
    /// <param name="analysis">What to read.</param>
    /// <exception cref="TargetException">It cannot be read.</exception>
    public static HungProcess Of(ToolSession session, string target, TargetOptions options, AnalysisOptions analysis)
    {
        Analyzer.Prepare();
        Reading<AnalyzedTarget> reading = RepeatedReading.Read(
            to => Target.Open(target, to), options, opened => AnalyzedTarget.Analyze(opened, analysis, session.Progress, session.Cancellation), read => read.Ask(new AnalysisOptions()), session.Cancellation);
        session.Progress.Clear();
        return new(reading);
    }

    /// <summary>The first of the processes that a runner has started in which tests are; null if there is none that can be read. Some runners have tests run by another process (xunit.v3 on VSTest).</summary>
    /// <param name="session">Of the command.</param>
    /// <param name="runner">Process id.</param>
    /// <param name="tests">What to look for.</param>
    /// <param name="options">How to open each.</param>
    /// <param name="analysis">What to read.</param>
    public static HungProcess? WithTests(ToolSession session, int runner, IReadOnlyList<HungTest> tests, TargetOptions options, AnalysisOptions analysis)
    {
        foreach (RunningProcess process in ProcessList.StartedBy(runner).Take(OtherProcesses.Most))
        {
            try
            {
                HungProcess read = Of(session, FormattableString.Invariant($"{process.Pid}"), options, analysis);
                if (read.Read.Ask(new AnalysisOptions { Query = new() { Method = HungTest.Frames(tests) } }).Stacks.Length > 0)
                    return read;
                read.Dispose();
            }
            catch (TargetException)
            {
                // It is named with the others.
                session.Progress.Clear();
            }
        }
        return null;
    }

    /// <inheritdoc/>
    public void Dispose() => _reading.Target.Dispose();
}
