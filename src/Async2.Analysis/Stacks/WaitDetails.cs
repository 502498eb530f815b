using Async2.Analysis.Layouts;
using Async2.Analysis.Model;
using Async2.Analysis.Waits.Reading;

namespace Async2.Analysis.Stacks;

/// <summary>Adds to what a group of stacks waits for why it has not happened yet, from the objects of its first members.</summary>
internal static class WaitDetails
{
    /// <summary>So many of a group are asked; what they agree on is said of all.</summary>
    public const int MemberLimit = 64;

    /// <param name="wait">What the group waits for.</param>
    /// <param name="awaited">Addresses of what its first members wait for.</param>
    /// <param name="count">Members of the group.</param>
    /// <param name="describe">Reads an awaited object.</param>
    public static WaitingOn Add(WaitingOn wait, IReadOnlyList<ulong> awaited, long count, Func<ulong, WaitFacts?> describe)
    {
        WaitFacts[] facts = [.. awaited.Select(describe).OfType<WaitFacts>()];
        if (facts.Length == 0)
            return wait;
        string? what = Common(facts, f => f.What) ? facts[0].What : null;
        string? state = Common(facts, f => f.State) && facts.Length == awaited.Count ? facts[0].State
            : facts.FirstOrDefault(f => f.State is not null)?.State is { } example ? "e.g. " + example
            : null;
        string? own = count == 1 ? facts[0].Own : null;
        return wait with { Kind = KindOf(wait, facts), Text = Named(wait.Text, what), Detail = WaitText.Join(state, own) };
    }

    private static bool Common(WaitFacts[] facts, Func<WaitFacts, string?> part) => facts.All(f => part(f) == part(facts[0]));

    // A task or source that stands for a semaphore, a socket or a pool is what it stands for.
    private static WaitKind KindOf(WaitingOn wait, WaitFacts[] facts)
        => (wait.Kind is WaitKind.Task or WaitKind.Custom || facts[0].Family == WaitFamily.Pool) && facts[0].Family is not (WaitFamily.Task or WaitFamily.Custom)
            && facts.All(f => f.Family == facts[0].Family) ? WaitDescriber.KindOf(facts[0].Family) ?? wait.Kind : wait.Kind;

    // "SemaphoreSlim.WaitAsync" says more than "SemaphoreSlim".
    private static string Named(string api, string? what)
        => what is null || api.StartsWith(what + ".", StringComparison.Ordinal) ? api : what;
}
