using Async2.Analysis.Analyses;
using Async2.Analysis.Model;

namespace Async2.Analysis.Comparison;

/// <summary>Looks at one process, joined: findings and stacks of the later one know what has moved since the earlier one, and for how long it had stood then.</summary>
internal static class EarlierLook
{
    /// <summary>The later one, which knows the earlier one.</summary>
    public static AsyncModel Join(AsyncModel earlier, AsyncModel later)
    {
        // Of the looks before it some numbers are enough: each would keep the one before it.
        AsyncModel before = earlier with { Earlier = null, Standing = Movement.Of(earlier)?.Standing() };
        long? apart = TargetComparison.Apart(earlier.Target, later.Target) + (earlier.Target.ApartMs ?? 0);
        return later with { Earlier = before, Target = later.Target with { Looks = (earlier.Target.Looks ?? 1) + 1, ApartMs = apart } };
    }
}
