using Async2.Analysis;
using Async2.Analysis.Rendering.Text;
using Async2.Analysis.Targets.Contract;
using Async2.Analysis.Targets.Processes;
using Async2.Analysis.Watching;
using Async2.Dump.Watching;

namespace Async2.Dump.Fleets;

/// <summary>One of several processes that are watched: what is known of it from look to look. Who reads it ends after each look, so that of many processes one reader is alive at a time.</summary>
/// <param name="process">As the system describes it.</param>
/// <param name="series">Joins its looks.</param>
/// <param name="saver">Saves them.</param>
/// <param name="export">Sends them; null for nowhere.</param>
internal sealed class WatchedProcess(RunningProcess process, WatchSeries series, WatchSaver saver, OtlpExport? export)
{
    private HashSet<string> _findings = [];
    private string? _failure;

    /// <summary>As the system describes it.</summary>
    public RunningProcess Process => process;

    /// <summary>The last look failed, or is not complete.</summary>
    public bool IsPartial { get; private set; } = true;

    /// <summary>Takes a look; sentences for the user, if there is something to say.</summary>
    /// <param name="source">Reads it.</param>
    /// <param name="isVerbose">Say something of each look.</param>
    /// <param name="stop">Set when the user ends it.</param>
    public IReadOnlyList<string> Look(ILookSource source, bool isVerbose, CancellationToken stop)
    {
        LookResult result = source.Look();
        if (stop.IsCancellationRequested)
            return [];
        try
        {
            // Its id may be that of another one since this round began, whose stacks are none of its own; that one comes with the next round.
            if (result.Snapshot is not null && ProcessList.Find(process.Pid) is { } now && now.Started != process.Started)
                result = LookResult.Ended;
            if (result.Snapshot is { } snapshot)
                return Take(series.Add(SnapshotFile.Read(new MemoryStream(snapshot)).Model, stop), snapshot, isVerbose);
        }
        catch (TargetException e)
        {
            result = new() { Failure = e.Message };
        }
        IsPartial = true;
        // Said once, not with each look; that it has ended is said by who lists processes.
        bool isNew = _failure != result.Failure && !result.HasEnded;
        _failure = result.Failure;
        return isNew ? ["could not look: " + result.Failure] : [];
    }

    /// <summary>It has ended.</summary>
    public void End() => export?.End(DateTimeOffset.UtcNow);

    private List<string> Take(WatchLook look, byte[] snapshot, bool isVerbose)
    {
        (IsPartial, _failure) = (!look.View.Complete, null);
        var said = new List<string>();
        if (isVerbose)
            said.Add(PlainView.TextOf(look));
        said.AddRange(look.Findings.Where(finding => !_findings.Contains(finding.Finding.Key)).Select(finding
            => $"{DisplayText.Of(finding.Finding.Severity)}: {finding.Finding.Rule}  {finding.Finding.Text}  ({DisplayText.Of(finding.Finding.Confidence)})"));
        HashSet<string> now = [.. look.Findings.Select(finding => finding.Finding.Key)];
        if (_findings.Count > 0 && now.Count == 0)
            said.Add("no finding any more");
        _findings = now;
        export?.Take(look);
        foreach (string sentence in saver.Take(look, snapshot))
        {
            said.Add(sentence);
            export?.Note(sentence, look.Model.Target.TakenAt ?? DateTimeOffset.UnixEpoch);
        }
        return said;
    }
}
