using Async2.Analysis.Model;

namespace Async2.Analysis.Comparison;

/// <summary>Two looks at one process, joined: findings and stacks of the later one know what has moved since the earlier one.</summary>
internal static class EarlierLook
{
    /// <summary>The later one, which knows the earlier one.</summary>
    public static AsyncModel Join(AsyncModel earlier, AsyncModel later)
    {
        // One earlier look is enough, and each would keep the one before it.
        return later with { Earlier = earlier with { Earlier = null }, Target = later.Target with { Looks = 2, ApartMs = Apart(earlier.Target, later.Target) } };
    }

    /// <summary>Milliseconds between two looks, by the target's own clock if both have it; null if neither clock tells.</summary>
    public static long? Apart(TargetFacts earlier, TargetFacts later) => later.Tick - earlier.Tick ?? (long?)(later.TakenAt - earlier.TakenAt)?.TotalMilliseconds;
}
