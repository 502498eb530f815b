using Async2.Analysis.Model;

namespace Async2.Analysis.Snapshots;

/// <summary>Holds the tables of a snapshot against what others believe of them: no null, no unknown kind, no number that leads out.</summary>
internal static class TableCheck
{
    /// <exception cref="SnapshotFormatException">Something is wrong.</exception>
    public static void Check(SnapshotTables tables)
    {
        Require(tables.Target is { Os: not null, Architecture: not null } target && Enum.IsDefined(target.Kind) && !target.Families.IsDefault && !target.Layouts.IsDefault
            && target.Layouts.All(layout => layout is { Contract: not null, Version: not null, Source: not null }) && target.Families.All(family => family is not null), "target");
        Require(tables.Target.Pool is not { } pool || IsSound(pool), "target");
        Require(tables.Problems.All(problem => problem is { Code: not null, Text: not null }), "problems");
        Require(tables.Places.All(place => IsSound(place, tables.Places.Count)), "places");
        Require(tables.Waits.All(wait => wait is { Text: not null } && Enum.IsDefined(wait.Kind)), "waits");
        Require(tables.Idle is { Count: > 0 and < short.MaxValue } && tables.Idle[0] is null, "idle");
        Require(tables.Reasons.All(IsSound) && tables.ReasonOf.Values.All(reason => reason >= 0 && reason < tables.Reasons.Count), "reasons");
        Require(tables.Resources is not null && tables.Resources.All(resource => resource is not null), "resources");
        Require(tables.Contexts is not null && tables.Contexts.All(context => context is not null) && tables.ContextThreads is not null, "contexts");
        Require(tables.Queued is not null && tables.Queued.All(row => row is not null && row.Context >= 0 && row.Context < tables.Contexts!.Count && Enum.IsDefined(row.Source)), "queued tasks");
        Require(tables.Faults is not null && tables.Faults.All(row => row is { Exception: not null, Thrown: >= 0, Failed: >= 0, Waiter: >= -1 } && row.Thrown < tables.Places!.Count && row.Failed < tables.Places.Count), "failures");
        Require(tables.Notes is not null && tables.Notes.All(note => note is { Key: not null, Text: not null }), "notes");
        Require(tables.AnyOf is not null && tables.TimeLimited is not null, "combinators");
        Require(tables.Types is { Count: > 0 } && tables.Types.All(type => type is not null), "types");
    }

    private static bool IsSound(PoolFacts pool) => !pool.Workers.IsDefault && !pool.Queue.IsDefault && pool.Queue.All(work => work is { Name: not null } && Enum.IsDefined(work.Kind))
        && pool.LastAdjustment is null or { Reason: not null };

    private static bool IsSound(PlaceRecord place, int places) => place is { Method: not null } && Enum.IsDefined(place.Kind) && Enum.IsDefined(place.Exactness)
        && Enum.IsDefined(place.Origin) && place.Same >= 0 && place.Same < places;

    private static bool IsSound(ReasonRecord reason) => reason is not null && Enum.IsDefined(reason.Kind) && Enum.IsDefined(reason.Action)
        && AreSound(reason.Shared) && AreSound(reason.Own) && (reason.Behind is null || IsSound(reason.Behind));

    private static bool AreSound(IReadOnlyList<FactRecord>? facts) => facts is null || facts.All(fact => fact is not null && Enum.IsDefined(fact.Key));

    private static void Require(bool holds, string table)
    {
        if (!holds)
            throw new SnapshotFormatException($"its table of {table} is damaged");
    }
}
