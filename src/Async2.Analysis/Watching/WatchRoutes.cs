using Async2.Analysis.Analyses.Ages;
using Async2.Analysis.Model.Ages;
using Async2.Analysis.Model.Labels;

namespace Async2.Analysis.Watching;

/// <summary>Equal stacks of one look that work for the same route of a server, or for none.</summary>
/// <param name="Group">The equal stacks, of all routes.</param>
/// <param name="Route">Pattern of the endpoint; null for none.</param>
/// <param name="Stacks">How many of them.</param>
/// <param name="OldestMs">The oldest of them waits for so long, at least, in milliseconds; null if nothing tells.</param>
public sealed record RouteShare(WatchGroup Group, string? Route, long Stacks, long? OldestMs);

/// <summary>Splits the groups of a look by the routes that their stacks work for.</summary>
public static class WatchRoutes
{
    /// <summary>All groups, in the order of the look; of each the routes by name, none first.</summary>
    /// <param name="look">The look.</param>
    public static IEnumerable<RouteShare> Of(WatchLook look)
    {
        LabelFacts labels = look.Model.Facts.Labels;
        var ages = new Lazy<WaitAges?>(() => WaitAges.Of(look.Model));
        foreach (WatchGroup group in look.Groups)
        {
            IGrouping<string?, int>[] routes = [.. group.Stack.Members.GroupBy(member => labels.Find(member, LabelNames.Route)?.Value, StringComparer.Ordinal).OrderBy(route => route.Key, StringComparer.Ordinal)];
            if (routes.Length < 2)
            {
                yield return new(group, routes.FirstOrDefault()?.Key, group.Stack.Count, Oldest(group.Age, group.StillMs));
                continue;
            }
            foreach (IGrouping<string?, int> route in routes)
                yield return new(group, route.Key, route.Count(), Oldest(GroupAges.Of(ages.Value, [.. route]), 0));
        }
    }

    private static long? Oldest(StackAge? age, long stillMs) => Math.Max(age?.AtLeastMs ?? 0, stillMs) is > 0 and var known ? known : null;
}
