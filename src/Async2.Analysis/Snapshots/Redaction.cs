using System.Collections.Immutable;
using Async2.Analysis.Formatting;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Labels;

namespace Async2.Analysis.Snapshots;

/// <summary>
/// Removes the program's data from a snapshot, but not its code: values of variables, texts of waits (SQL, end points, hosts,
/// commands), messages of exceptions, the command line, the host name, and the folder of the program. Names of methods, types and source files stay.
/// </summary>
internal static class Redaction
{
    /// <summary>Replacement for a value.</summary>
    public const string Hidden = LabelPrivacy.Hidden;

    /// <summary>The whole model without the program's data.</summary>
    public static AsyncModel Of(AsyncModel model)
    {
        // Thousands of stacks share a reason, and still do afterwards.
        var known = new Dictionary<WaitReason, WaitReason>();
        WaitReason Redacted(WaitReason reason) => known.TryGetValue(reason, out WaitReason? redacted) ? redacted : known[reason] = Of(reason);
        GraphFacts facts = model.Facts with
        {
            Blocked = model.Facts.Blocked.ToDictionary(pair => pair.Key, pair => Redacted(pair.Value)),
            Faults = [.. model.Facts.Faults.Select(row => row with { Message = null })],
            Labels = LabelPrivacy.Apply(model.Facts.Labels, ShownValues.None),
            // A short number could be found again by trying all.
            Values = [],
        };
        // What threads block for is in words already.
        Dictionary<string, string?> details = [];
        foreach ((int node, WaitReason reason) in model.Facts.Blocked)
        {
            if (WaitFormatter.Detail(reason) is { } detail && WaitFormatter.Detail(facts.Blocked[node]) is var hidden && hidden != detail)
                details.TryAdd(detail, hidden);
        }
        if (details.Count > 0)
            model = model.With(model.Stacks.With([.. model.Stacks.Waits.Select(wait => wait with { Detail = Hide(wait.Detail, details) })]));
        return model.With(model.Reasons.ToDictionary(pair => pair.Key, pair => Redacted(pair.Value)), facts) with { Target = Of(model.Target) };
    }

    // Of a deadlock of several threads, one stack says what the others wait for, too.
    private static string? Hide(string? detail, Dictionary<string, string?> details)
    {
        if (detail is null)
            return null;
        if (details.TryGetValue(detail, out string? all))
            return all;
        foreach ((string said, string? hidden) in details.OrderByDescending(pair => pair.Key.Length))
            detail = detail.Replace(said, hidden, StringComparison.Ordinal);
        return detail;
    }

    // Where and for whom it runs.
    private static TargetFacts Of(TargetFacts target) => target with { Path = target.Path is { } path ? path[(path.LastIndexOfAny(['/', '\\']) + 1)..] : null, CommandLine = null, HostName = null };

    private static WaitReason Of(WaitReason reason) => reason with { Shared = Of(reason.Shared), Own = Of(reason.Own), Behind = reason.Behind is { } behind ? Of(behind) : null };

    private static ImmutableArray<WaitFact> Of(ImmutableArray<WaitFact> facts) => [.. facts.Select(fact => fact.Text is null || fact.Key == WaitFactKey.HolderPlace ? fact : fact with { Text = Hidden })];
}
