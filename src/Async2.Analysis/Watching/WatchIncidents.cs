using System.Collections.Immutable;
using Async2.Analysis.Formatting;
using Async2.Analysis.Model;

namespace Async2.Analysis.Watching;

/// <summary>
/// What somebody wants to know of, while nobody looks: groups in which something is stuck for long, and findings. Each is said once, when it begins; it
/// is over when no look had it for a minute.
/// </summary>
/// <param name="stuck">How long somebody who is held up may stay in one place; null for any time.</param>
/// <param name="findings">The findings that count.</param>
public sealed class WatchIncidents(TimeSpan? stuck, Func<Finding, bool> findings)
{
    private const long QuietMs = 60_000;

    private readonly Dictionary<string, long> _seen = new(StringComparer.Ordinal);

    /// <summary>What has begun with a look, a sentence for each; the worst first.</summary>
    public ImmutableArray<string> Begun(WatchLook look)
    {
        foreach (string over in _seen.Where(incident => look.Moment - incident.Value > QuietMs).Select(incident => incident.Key).ToArray())
            _seen.Remove(over);
        (string Key, string Text)[] all =
        [
            .. look.Findings.Where(finding => findings(finding.Finding)).Select(finding => (finding.Finding.Key, $"{finding.Finding.Rule}: {finding.Finding.Text}")),
            .. look.Groups.Where(IsStuck).Select(group => (group.Key, TextOf(group))),
        ];
        var begun = ImmutableArray.CreateBuilder<string>();
        foreach ((string key, string text) in all)
        {
            if (!_seen.ContainsKey(key))
                begun.Add(text);
            _seen[key] = look.Moment;
        }
        return begun.DrainToImmutable();
    }

    private bool IsStuck(WatchGroup group) => group.IsHeldUp && group.StillMs >= stuck?.TotalMilliseconds;

    private static string TextOf(WatchGroup group)
    {
        string wait = group.Stack.WaitingOn is { Text.Length: > 0 } on ? $", waiting for {on.FullText}" : "";
        return $"stuck for {WaitNumbers.Duration(group.StillMs)}: {(group.Stack.Frames.Count > 0 ? group.Stack.Frames[0].Method : "unknown code")}{wait}";
    }
}
