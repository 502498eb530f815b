using Async2.Analysis.Model;

namespace Async2.Analysis.Words;

/// <summary>
/// Says a <see cref="WaitReason"/> in words. All sentences about waits are made in this room and nowhere else: of data, the same for
/// every output, in every culture.
/// </summary>
internal static class WaitWords
{
    /// <summary>Where nothing says what is waited for.</summary>
    public const string Unknown = "unknown";

    /// <summary>What is waited for: <c>Channel&lt;int&gt; read</c>; null where the call that awaits it says it better.</summary>
    public static string? What(WaitReason reason) => ActionWords.Of(reason);

    /// <summary>What is the same for all who wait for it: <c>0 free, 3 waiting</c>; null when nothing is known.</summary>
    public static string? State(WaitReason reason)
    {
        if (reason.IsDone)
            return ResumptionWords.Of(reason);
        string? state = FactWords.Of(reason.Shared.AsSpan());
        for (WaitReason? behind = reason.Behind; behind is not null; behind = behind.Behind)
            state = WaitText.Join(state, WaitText.Join(What(behind), FactWords.Of(behind.Shared.AsSpan())) is { } text ? "for " + text : null);
        return state;
    }

    /// <summary>What is true of this waiter only: <c>2nd in the queue</c>; null when nothing is.</summary>
    public static string? Own(WaitReason reason)
    {
        string? own = FactWords.Of(reason.Own.AsSpan());
        for (WaitReason? behind = reason.Behind; behind is not null; behind = behind.Behind)
            own = WaitText.Join(own, FactWords.Of(behind.Own.AsSpan()));
        return own;
    }

    /// <summary>State and what is true of this waiter only.</summary>
    public static string? Detail(WaitReason reason) => WaitText.Join(State(reason), Own(reason));

    /// <summary>All in one line.</summary>
    public static string Full(WaitReason reason) => WaitText.Join(What(reason), State(reason), Own(reason)) ?? Unknown;

    /// <summary>The view's record.</summary>
    /// <param name="reason">What the innermost end of a stack waits for.</param>
    /// <param name="address">The awaited object; null when it is not known.</param>
    /// <param name="type">C# name of its type.</param>
    public static WaitingOn ViewOf(WaitReason reason, ulong? address = null, string? type = null)
        => new(reason.Kind, What(reason) ?? Unknown, address, type) { Detail = Detail(reason), IsDone = reason.IsDone };

    /// <summary>
    /// The heading of all that wait for the same: <c>SemaphoreSlim.WaitAsync, Orders._till</c>, with the address where the program has no name for it.
    /// </summary>
    public static string SectionOf(WaitingOn wait) => wait.Resource is { IsShared: true } resource
        ? $"{wait.Text}, {resource.Name ?? FormattableString.Invariant($"0x{resource.Address:x}")}"
        : wait.Text;

    /// <summary>How long somebody waits for a task: <c>Task.WaitAsync, timeout 10 min</c>.</summary>
    public static string Patience(long milliseconds) => "Task.WaitAsync, timeout " + WaitText.Duration(milliseconds);

    /// <summary>What stands for several that differ.</summary>
    public static string Example(string detail) => "e.g. " + detail;

    /// <summary>Of a circle over threads: what another thread of it waits for.</summary>
    public static string AlsoWaits(string? detail, int thread, WaitingOn wait)
        => FormattableString.Invariant($"{(detail is null ? "" : detail + "; ")}thread {thread} waits for {wait.FullText}");

    /// <summary>The tasks without frames that a combinator still waits for: <c>lacks 2 x Task.Delay, TaskCompletionSource</c>; null for none.</summary>
    public static string? PendingText(IEnumerable<WaitReason?> leaves)
    {
        IEnumerable<string> names = leaves.Select(leaf => leaf is null ? null : What(leaf)).OfType<string>().GroupBy(name => name)
            .OrderBy(name => name.Key, StringComparer.Ordinal)
            .Select(name => WaitText.Times(name.Count(), name.Key));
        return string.Join(", ", names) is { Length: > 0 } text ? "lacks " + text : null;
    }
}
