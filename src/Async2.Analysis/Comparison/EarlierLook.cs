using Async2.Analysis.Model;

namespace Async2.Analysis.Comparison;

/// <summary>Two looks at one process, joined: findings and stacks of the later one know what has moved since the earlier one.</summary>
internal static class EarlierLook
{
    /// <summary>The later one, which knows the earlier one.</summary>
    public static AsyncModel Join(AsyncModel earlier, AsyncModel later)
    {
        long? apart = later.Target.Tick - earlier.Target.Tick ?? (long?)(later.Target.TakenAt - earlier.Target.TakenAt)?.TotalMilliseconds;
        // One earlier look is enough, and each would keep the one before it.
        return later with { Earlier = earlier with { Earlier = null }, Target = later.Target with { Looks = 2, ApartMs = apart } };
    }
}
