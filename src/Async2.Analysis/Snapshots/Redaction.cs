using System.Collections.Immutable;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Labels;

namespace Async2.Analysis.Snapshots;

/// <summary>
/// Removes the program's data from a snapshot, but not its code: values of variables, texts of waits (SQL, end points, hosts,
/// commands), the command line, the host name, and the folder of the program. Names of methods, types and source files stay.
/// </summary>
internal static class Redaction
{
    /// <summary>Replacement for a value.</summary>
    public const string Hidden = LabelPrivacy.Hidden;

    /// <summary>The whole model without the program's data.</summary>
    public static AsyncModel Of(AsyncModel model)
        => model.With(model.Reasons.ToDictionary(pair => pair.Key, pair => Of(pair.Value)), model.Facts with
        {
            Blocked = model.Facts.Blocked.ToDictionary(pair => pair.Key, pair => Of(pair.Value)),
            Labels = LabelPrivacy.Apply(model.Facts.Labels, ShownValues.None),
            // A short number could be found again by trying all.
            Values = [],
        }) with
        { Target = Of(model.Target) };

    /// <summary>The target without information about where and for whom it runs.</summary>
    public static TargetFacts Of(TargetFacts target) => target with { Path = target.Path is { } path ? path[(path.LastIndexOfAny(['/', '\\']) + 1)..] : null, CommandLine = null, HostName = null };

    /// <summary>The reason without texts from the target.</summary>
    public static WaitReason Of(WaitReason reason) => reason with { Shared = Of(reason.Shared), Own = Of(reason.Own), Behind = reason.Behind is { } behind ? Of(behind) : null };

    private static ImmutableArray<WaitFact> Of(ImmutableArray<WaitFact> facts) => [.. facts.Select(fact => fact.Text is null || fact.Key == WaitFactKey.HolderPlace ? fact : fact with { Text = Hidden })];
}
