using System.Globalization;
using Async2.Analysis;
using Async2.Analysis.Model.Labels;
using Async2.Analysis.Rendering.Text;
using Async2.Analysis.Targets.Processes;
using Async2.Analysis.Watching;
using Async2.Dump.Watching;

namespace Async2.Dump.Fleets;

/// <summary>Reads the processes that <see cref="NodeWatch"/> asks for, and says what it has to say, as lines with the time and the process.</summary>
/// <param name="text">Where to.</param>
/// <param name="plan">When snapshots are saved.</param>
/// <param name="analysis">What is read.</param>
/// <param name="budget">Of all processes together; null for any.</param>
/// <param name="options">As they were typed, for a reader of one process.</param>
internal sealed class NodeReader(StyledText text, WatchPlan plan, AnalysisOptions analysis, DiskBudget? budget, IReadOnlyList<string> options)
{
    // Trends are not shown.
    private const int Looks = 2;

    /// <summary>Sends what is seen; null for nowhere.</summary>
    public OtlpSender? Sender { get; init; }

    /// <summary>How that goes.</summary>
    public OtlpNews? News { get; init; }

    /// <summary>Begins to watch a process.</summary>
    public WatchedProcess Watch(RunningProcess process)
        => new(process, new WatchSeries(analysis, Looks), new WatchSaver(plan, TimeProvider.System, budget), Sender is null ? null : new OtlpExport(Sender, analysis.Values != ShownValues.None));

    /// <summary>Reads it once, or more often.</summary>
    public ILookSource Read(RunningProcess process)
    {
        SayAll(News?.Next());
        return new LookSource(["watch", process.Pid.ToString(CultureInfo.InvariantCulture), .. options]);
    }

    /// <summary>Shows a sentence about a process; of none for the watch itself.</summary>
    public void Say(RunningProcess? process, string sentence)
    {
        string time = DateTime.UtcNow.ToString("yyyy-MM-dd'T'HH:mm:ss'Z'", CultureInfo.InvariantCulture);
        text.Line(process is null ? $"{time}  {sentence}" : $"{time}  {process.Pid} {text.Safe(process.Name)}: {sentence}");
    }

    /// <summary>Sends what waits.</summary>
    public void End() => SayAll(News?.End());

    private void SayAll(IEnumerable<string>? sentences)
    {
        foreach (string sentence in sentences ?? [])
            Say(null, sentence);
    }
}
