using System.Globalization;
using Async2.Analysis.Rendering.Text;
using Async2.Analysis.Watching;

namespace Async2.Dump.Watching;

/// <summary>A line for each look, for pipes, logs and terminals that can do no more.</summary>
/// <param name="text">Where to.</param>
/// <param name="writer">The same, to send each line at once.</param>
/// <param name="verbose">Also for how long each look stopped the process.</param>
internal sealed class PlainView(StyledText text, TextWriter writer, bool verbose = false) : IWatchView
{
    private readonly HashSet<string> _known = [];

    /// <inheritdoc/>
    public void Show(WatchLook look, byte[] snapshot, TimeSpan interval, TimeSpan late)
    {
        text.Write(LineOf(look));
        if (late > TimeSpan.Zero)
            text.Write($"; {DisplayText.Duration((long)late.TotalMilliseconds)} late, all processors were busy");
        if (verbose && look.Model.Target.FreezeMs is { } stopped)
            text.Write(string.Create(CultureInfo.InvariantCulture, $"; stopped for {stopped:0.0} ms"));
        text.Line();
        // What a finding says once is enough.
        HashSet<string> now = [.. look.Findings.Select(finding => finding.Finding.Key)];
        foreach (WatchFinding finding in look.Findings.Where(finding => !_known.Contains(finding.Finding.Key)))
            text.Line($"  {DisplayText.Of(finding.Finding.Severity)}: {finding.Finding.Rule}  {finding.Finding.Text}  ({DisplayText.Of(finding.Finding.Confidence)})");
        _known.Clear();
        _known.UnionWith(now);
        writer.Flush();
    }

    /// <inheritdoc/>
    public void Wait()
    {
        // The line of the look says it.
    }

    /// <inheritdoc/>
    public void Say(string sentence)
    {
        text.Line("  " + sentence);
        writer.Flush();
    }

    /// <inheritdoc/>
    public void Dispose() => writer.Flush();

    /// <summary><c>2026-11-23T05:12:09Z  412 stacks: 398 still, 5 moved; held up for 41 s; deadlock (certain)</c></summary>
    public static string LineOf(WatchLook look)
    {
        string time = look.Model.Target.TakenAt?.ToUniversalTime().ToString("yyyy-MM-dd'T'HH:mm:ss'Z'", CultureInfo.InvariantCulture) ?? "";
        return $"{time}  {TextOf(look)}";
    }

    /// <summary>The same without the time.</summary>
    public static string TextOf(WatchLook look)
    {
        WatchGroup? oldest = look.Groups.Where(group => group.IsHeldUp).MaxBy(group => group.StillMs);
        string?[] parts =
        [
            WatchWords.Totals(look),
            oldest is { StillMs: > 0 } ? "held up for " + DisplayText.Duration(oldest.StillMs) : null,
            WatchWords.Findings(look),
            look.View.Complete ? null : "incomplete: " + (look.View.Problems.FirstOrDefault()?.Text ?? "the reason is not known"),
        ];
        return string.Join("; ", parts.OfType<string>());
    }
}
