using Async2.Analysis.Model.Ages;

namespace Async2.Analysis.Formatting;

/// <summary>Says for how long something has waited, and by which clock.</summary>
internal static class AgeFormatter
{
    // What has just begun is of no interest to somebody who looks for what hangs.
    private const long LeastShown = 10_000;

    /// <summary>It is said without being asked for.</summary>
    public static bool IsShown(StackAge age) => age.Clock == AgeClock.TwoLooks || age.AtLeastMs >= LeastShown;

    /// <summary><c>for 3.2 s</c>, <c>for at least 3.2 s, at most 40 s</c>, <c>still for 1 s</c>; of several the oldest: <c>oldest for 3.2 s</c>.</summary>
    /// <param name="age">The age.</param>
    /// <param name="count">Of how many stacks it is the oldest.</param>
    public static string Of(StackAge age, long count)
    {
        if (age.Clock == AgeClock.TwoLooks)
            return (age.Stacks == count ? "" : FormattableString.Invariant($"{age.Stacks:N0} of them ")) + "still for " + WaitNumbers.Duration(age.AtLeastMs);
        return (count == 1 ? "" : "oldest ") + "for " + Bounds(age);
    }

    /// <summary><c>3.2 s</c>, <c>at least 3.2 s, at most 40 s</c>.</summary>
    public static string Bounds(StackAge age)
    {
        if (age.IsExact)
            return WaitNumbers.Duration(age.AtLeastMs);
        string? least = age.AtLeastMs > 0 ? "at least " + WaitNumbers.Duration(age.AtLeastMs) : null;
        return WaitNumbers.Join(least, age.AtMostMs is { } most ? "at most " + WaitNumbers.Duration(most) : null) ?? "an unknown time";
    }

    /// <summary>Which clocks say so: <c>timer</c>, <c>at least by a collection, at most by neighbours on the heap</c>.</summary>
    public static string Clocks(StackAge age)
    {
        if (age.IsExact || age.AtMostClock is null || (age.AtLeastMs > 0 && age.Clock == age.AtMostClock))
            return "by " + Name(age.Clock);
        return age.AtLeastMs > 0 ? $"at least by {Name(age.Clock)}, at most by {Name(age.AtMostClock.Value)}" : "by " + Name(age.AtMostClock.Value);
    }

    private static string Name(AgeClock clock) => clock switch
    {
        AgeClock.TwoLooks => "two looks",
        AgeClock.Timer => "its own timer",
        AgeClock.Activity => "the start of its activity",
        AgeClock.HttpTimer => "HttpClient's timer",
        AgeClock.Neighbours => "timers beside it on the heap",
        _ => "a collection that it survived",
    };
}
