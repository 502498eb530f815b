using Async2.Analysis.Model;

namespace Async2.Analysis.Formatting;

/// <summary>Adds to the wait of a group of stacks why it has not happened yet, from the objects of its members.</summary>
internal static class GroupWaitFormatter
{
    /// <param name="wait">What the group waits for.</param>
    /// <param name="reasons">Reasons of the first members; null if an object has none.</param>
    /// <param name="count">Members of the group.</param>
    public static WaitingOn Add(WaitingOn wait, IReadOnlyList<WaitReason?> reasons, long count)
    {
        WaitReason[] said = [.. reasons.OfType<WaitReason>()];
        if (said.Length == 0)
            return wait;
        string?[] states = [.. said.Select(WaitFormatter.State)];
        string? what = Common(said, WaitFormatter.What);
        string? state = Array.TrueForAll(states, s => s == states[0]) && said.Length == reasons.Count ? states[0]
            : states.FirstOrDefault(s => s is not null) is { } example ? WaitFormatter.Example(example)
            : null;
        // How long each may wait is the same for a call in one place; when it is due is not.
        string? own = count == 1 ? WaitFormatter.Own(said[0]) : said.Length == reasons.Count ? Common(said, WaitFormatter.Timeout) : null;
        return wait with { Kind = KindOf(wait, said), Text = Named(wait.Text, what), Detail = WaitNumbers.Join(state, own) };
    }

    private static string? Common(WaitReason[] said, Func<WaitReason, string?> part)
    {
        string? first = part(said[0]);
        return said.All(reason => part(reason) == first) ? first : null;
    }

    // A task or source that stands for a semaphore, a socket or a pool is described as that.
    private static WaitKind KindOf(WaitingOn wait, WaitReason[] said)
        => (wait.Kind is WaitKind.Task or WaitKind.Custom || said[0].Kind == WaitKind.Pool) && said[0].Kind is not (WaitKind.Task or WaitKind.Custom or WaitKind.None)
            && said.All(reason => reason.Kind == said[0].Kind) ? said[0].Kind : wait.Kind;

    // "SemaphoreSlim.WaitAsync" is more informative than "SemaphoreSlim".
    private static string Named(string api, string? what)
        => what is null || api.StartsWith(what + ".", StringComparison.Ordinal) ? api : what;
}
