namespace Async2.Analysis.Model.Ages;

/// <summary>
/// For how long something has waited or has not moved. It is exact where both bounds are the same by the same clock; a bound that is not known is
/// 0, or null.
/// </summary>
/// <param name="AtLeastMs">At least so long, in milliseconds.</param>
/// <param name="Clock">How that is known.</param>
/// <param name="Stacks">How many of equal stacks have an age; of those it is that of the oldest.</param>
public sealed record StackAge(long AtLeastMs, AgeClock Clock, long Stacks)
{
    /// <summary>At most so long, in milliseconds; null if there is no such bound.</summary>
    public long? AtMostMs { get; init; }

    /// <summary>How <see cref="AtMostMs"/> is known; null if there is no such bound.</summary>
    public AgeClock? AtMostClock { get; init; }

    /// <summary>The beginning of this very wait is known, up to the steps of the clock.</summary>
    public bool IsExact => AtMostMs == AtLeastMs && AtMostClock == Clock;

    /// <summary>How many of equal stacks are how old, by what is proved: from the youngest on. Empty for one stack, and if it was not computed.</summary>
    public IReadOnlyList<AgeShare> Shares { get; init; } = [];
}

/// <summary>How many stacks are of an age.</summary>
/// <param name="FromMs">They have waited at least so long.</param>
/// <param name="Stacks">How many, that are not counted for a longer time.</param>
public sealed record AgeShare(long FromMs, long Stacks);

/// <summary>How an age is known.</summary>
public enum AgeClock
{
    /// <summary>They were in the same place, and waited for the same, some time before.</summary>
    TwoLooks,

    /// <summary>A timer was made for this very wait.</summary>
    Timer,

    /// <summary>They lie on the heap between timers whose time is known.</summary>
    Neighbours,

    /// <summary>They have survived a collection after which timers were made whose time is known.</summary>
    Collection,

    /// <summary>The activity in which they were suspended, such as that of the request that they work for, began then: they wait no longer.</summary>
    Activity,

    /// <summary>HttpClient set the timer then that ends the request which they have sent: they wait no longer.</summary>
    HttpTimer,
}
