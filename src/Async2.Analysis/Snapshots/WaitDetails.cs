using Async2.Analysis.Model;

namespace Async2.Analysis.Snapshots;

/// <summary>Adds to what a group of stacks waits for why it has not happened yet, from the objects of its first members.</summary>
internal static class WaitDetails
{
    /// <summary>So many of a group are asked; what they agree on is said of all.</summary>
    public const int MemberLimit = 64;

    /// <param name="wait">What the group waits for.</param>
    /// <param name="awaited">Addresses of what its members wait for; 0 where that is not known.</param>
    /// <param name="count">Members of the group.</param>
    /// <param name="details">What awaited objects say.</param>
    public static WaitingOn Add(WaitingOn wait, IEnumerable<ulong> awaited, long count, IReadOnlyDictionary<ulong, WaitDetail> details)
    {
        ulong[] asked = [.. awaited.Where(address => address != 0).Take(MemberLimit)];
        WaitDetail[] facts = [.. asked.Select(address => details.GetValueOrDefault(address)).OfType<WaitDetail>()];
        if (facts.Length == 0)
            return wait;
        string? what = Common(facts, f => f.What) ? facts[0].What : null;
        string? state = Common(facts, f => f.State) && facts.Length == asked.Length ? facts[0].State
            : facts.FirstOrDefault(f => f.State is not null)?.State is { } example ? "e.g. " + example
            : null;
        string? own = count == 1 ? facts[0].Own : null;
        string? detail = state is null || own is null ? state ?? own : $"{state}, {own}";
        return wait with { Kind = KindOf(wait, facts), Text = Named(wait.Text, what), Detail = detail };
    }

    private static bool Common(WaitDetail[] facts, Func<WaitDetail, string?> part) => facts.All(f => part(f) == part(facts[0]));

    // A task or source that stands for a semaphore, a socket or a pool is what it stands for.
    private static WaitKind KindOf(WaitingOn wait, WaitDetail[] facts)
        => facts[0].Kind is { } kind && (wait.Kind is WaitKind.Task or WaitKind.Custom || kind == WaitKind.Pool) && kind is not (WaitKind.Task or WaitKind.Custom)
            && facts.All(f => f.Kind == kind) ? kind : wait.Kind;

    // "SemaphoreSlim.WaitAsync" says more than "SemaphoreSlim".
    private static string Named(string api, string? what)
        => what is null || api.StartsWith(what + ".", StringComparison.Ordinal) ? api : what;
}
