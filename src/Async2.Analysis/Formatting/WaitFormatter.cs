using Async2.Analysis.Model;

namespace Async2.Analysis.Formatting;

/// <summary>
/// Text for a <see cref="WaitReason"/>. All sentences about waits are made in this folder and nowhere else: the same for
/// every output and in every culture.
/// </summary>
internal static class WaitFormatter
{
    /// <summary>Text if it is unknown what is waited for.</summary>
    public const string Unknown = "unknown";

    /// <summary>What is waited for: <c>Channel&lt;int&gt; read</c>; null if the awaiting call is more informative.</summary>
    public static string? What(WaitReason reason) => ActionFormatter.Of(reason);

    /// <summary>Facts that apply to all waiters: <c>0 free, 3 waiting</c>; null if none are known.</summary>
    public static string? State(WaitReason reason)
    {
        if (reason.IsDone)
            return ResumptionFormatter.Of(reason);
        string? state = FactFormatter.Of(reason.Shared.AsSpan());
        for (WaitReason? behind = reason.Behind; behind is not null; behind = behind.Behind)
            state = WaitNumbers.Join(state, WaitNumbers.Join(What(behind), FactFormatter.Of(behind.Shared.AsSpan())) is { } text ? "for " + text : null);
        return state;
    }

    /// <summary>Facts about this waiter only: <c>2nd in the queue</c>; null if there are none.</summary>
    public static string? Own(WaitReason reason)
    {
        string? own = FactFormatter.Of(reason.Own.AsSpan());
        for (WaitReason? behind = reason.Behind; behind is not null; behind = behind.Behind)
            own = WaitNumbers.Join(own, FactFormatter.Of(behind.Own.AsSpan()));
        return own;
    }

    /// <summary>How long this waiter waits at most: <c>timeout 30 s</c>; null if it has no limit.</summary>
    public static string? Timeout(WaitReason reason)
    {
        for (WaitReason? level = reason; level is not null; level = level.Behind)
        {
            if (level.Own.FirstOrDefault(fact => fact.Key == WaitFactKey.Timeout) is { Key: WaitFactKey.Timeout } limit)
                return FactFormatter.Of([limit]);
        }
        return null;
    }

    /// <summary>State and facts about this waiter only.</summary>
    public static string? Detail(WaitReason reason) => WaitNumbers.Join(State(reason), Own(reason));

    /// <summary>All in one line.</summary>
    public static string Full(WaitReason reason) => WaitNumbers.Join(What(reason), State(reason), Own(reason)) ?? Unknown;

    /// <summary>The view's record.</summary>
    /// <param name="reason">What the innermost end of a stack waits for.</param>
    /// <param name="address">The awaited object; null if it is not known.</param>
    /// <param name="type">C# name of its type.</param>
    public static WaitingOn ViewOf(WaitReason reason, ulong? address = null, string? type = null)
        => new(reason.Kind, What(reason) ?? Unknown, address, type) { Detail = Detail(reason), IsDone = reason.IsDone };

    /// <summary>
    /// The heading for all stacks that wait for the same: <c>SemaphoreSlim.WaitAsync, Orders._till</c>, with the address if the program has no name for it.
    /// </summary>
    public static string SectionOf(WaitingOn wait) => wait.Resource is { IsShared: true } resource
        ? $"{wait.Text}, {resource.Name ?? FormattableString.Invariant($"0x{resource.Address:x}")}"
        : wait.Text;

    /// <summary>Wait for a task with a timeout: <c>Task.WaitAsync, timeout 10 min</c>.</summary>
    public static string Timeout(long milliseconds) => "Task.WaitAsync, timeout " + WaitNumbers.Duration(milliseconds);

    /// <summary>Text for several different waits.</summary>
    public static string Example(string detail) => "e.g. " + detail;

    /// <summary>In a cycle over threads: what another thread of it waits for.</summary>
    public static string AlsoWaits(string? detail, int thread, WaitingOn wait)
        => FormattableString.Invariant($"{(detail is null ? "" : detail + "; ")}thread {thread} waits for {wait.FullText}");

    /// <summary>The tasks without frames that a combinator still waits for: <c>lacks 2 x Task.Delay, TaskCompletionSource</c>; null for none.</summary>
    public static string? PendingText(IEnumerable<WaitReason?> leaves)
    {
        IEnumerable<string> names = leaves.Select(leaf => leaf is null ? null : What(leaf)).OfType<string>().GroupBy(name => name)
            .OrderBy(name => name.Key, StringComparer.Ordinal)
            .Select(name => WaitNumbers.Times(name.Count(), name.Key));
        return string.Join(", ", names) is { Length: > 0 } text ? "lacks " + text : null;
    }
}
