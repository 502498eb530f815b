using System.Collections.Immutable;
using System.Globalization;
using System.Runtime.CompilerServices;
using System.Text;
using Async2.Analysis.Analyses.Contract;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Labels;

namespace Async2.Analysis.Analyses;

/// <summary>All rules, in order, and what they find in a model.</summary>
internal static class AnalysisList
{
    private static readonly ConditionalWeakTable<AsyncModel, StrongBox<ImmutableArray<Finding>>> Known = [];

    /// <summary>The order decides among findings that are as bad and as certain. A rule may build on what those before it have found.</summary>
    public static IReadOnlyList<IAnalysis> All { get; } =
    [
        // What follows from memory alone comes first.
        new Deadlock(),
        // A cycle, too, but the way out is another.
        new ContextDeadlock(),
        // A permit without a holder; with one that waits for itself it is a deadlock.
        new LockNeverReleased(),
        // Follows from memory alone, too; what is part of a cycle is said there.
        new Orphan(),
        // Nothing is queued in vain where everything has stopped, so after deadlocks.
        new Starvation(),
        // Worse where the pool is starved, which is known by now.
        new SyncOverAsync(),
        // More particular than what follows, which then says it no more.
        new ExhaustedPool(),
        new HotResource(),
        // Nothing is wrong by itself: last.
        new SlowDependency(),
        // Harms nobody by itself.
        new Lost(),
    ];

    /// <summary>What all rules find, worst first; found once for a model.</summary>
    public static ImmutableArray<Finding> In(AsyncModel model) => Known.GetValue(model, one => new(Run(one))).Value;

    private static ImmutableArray<Finding> Run(AsyncModel model)
    {
        var found = new List<Finding>();
        // Shared by all rules: what one has worked out is there for the next.
        var input = new AnalysisInput(model, found);
        foreach (IAnalysis analysis in All)
            found.AddRange([.. analysis.Find(input)]);
        if (Movement.Of(model) is { } movement)
            found = [.. SecondLook.Judge(found, movement)];
        var labels = new LabelShares(model.Facts.Labels);
        // Stable: the order of the rules decides the rest.
        return [.. found.OrderByDescending(finding => finding.Severity).ThenByDescending(finding => finding.Confidence).ThenByDescending(finding => finding.Blocked)
            .Select((finding, number) => finding with
            {
                Id = string.Create(CultureInfo.InvariantCulture, $"f{number + 1}"),
                Key = KeyOf(finding),
                Labels = labels.Of(finding.Hanging ?? finding.Members),
                Hanging = null,
            })];
    }

    // Where a cycle begins depends on addresses, and lines move.
    private static string KeyOf(Finding finding)
    {
        IEnumerable<string> methods = finding.Evidence.Select(step => step.Method).OfType<string>().Distinct().Order(StringComparer.Ordinal);
        byte[] hash = Sha256.HashOf(Encoding.UTF8.GetBytes(string.Join('\n', methods.Prepend(finding.Rule))));
        return Convert.ToHexString(hash, 0, 8).ToLowerInvariant();
    }
}
