using System.Globalization;
using Async2.Analysis.Awaiters;
using Async2.Analysis.Graph;
using Async2.Analysis.Model;
using Async2.Analysis.Threads;
using Async2.Analysis.Waits.Resuming;

namespace Async2.Analysis.Stacks;

/// <summary>Says what holds a stack up whose awaited task has completed, and what is not claimed where a thread could not be seen.</summary>
/// <param name="readers">Answer for the target.</param>
/// <param name="read">What a thread does.</param>
internal sealed class ResumptionText(StackReaders readers, Func<ThreadSegment, LeafState> read)
{
    private readonly Dictionary<Resumption, WaitingOn> _words = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<int, int> _innermost = ThreadWaits.Innermost(readers.Segments);

    private bool IsBlind => readers.UnseenThreads.Count > 0;

    /// <summary>What is known of a method that executes on no thread that was seen; null where all were.</summary>
    public WaitingOn? Running { get; } = readers.UnseenThreads.Count == 0 ? null
        : new(WaitKind.None, "running or blocked, on a thread that could not be read") { IsDone = true };

    /// <summary>Where it goes on; null when what it awaits is pending, or nobody knows.</summary>
    public Resumption? Find(ulong operation, AwaitedObject? awaited)
        => awaited is { IsTask: true, IsCompleted: false } ? null : readers.FindResumption(operation, awaited is { IsCompleted: true });

    /// <summary>State of an operation that can go on; null when it awaits something, or nothing more than that is known.</summary>
    public LeafState? Of(ulong operation, AwaitedObject? awaited)
    {
        Resumption? next = Find(operation, awaited);
        // It may execute on a thread that could not be read (then a chain has let go of what it awaited), but not while it is in the pool's queue.
        if (IsBlind && (awaited is null or { IsCompleted: true }) && next is not { IsPool: true })
            return new(StackState.Awaiting, new WaitingOn(WaitKind.None, (awaited is null ? "" : "done; ") + "perhaps running or blocked, on a thread that could not be read") { IsDone = true });
        if (next is null)
            return null;
        if (!_words.TryGetValue(next, out WaitingOn? words))
            _words[next] = words = Describe(next);
        return new(StackState.Scheduled, words);
    }

    private WaitingOn Describe(Resumption next) => next.IsThread
        ? new(WaitKind.Thread, "done; to be resumed by " + next.Name) { IsDone = true, Detail = BlockedIn(next.Threads[0]) is { } call ? "which is blocked in " + call : "which does something else" }
        : next.IsPool
        ? new(WaitKind.Pool, "done; queued to " + next.Name) { IsDone = true, Detail = next.Detail }
        : new(WaitKind.Thread, "done; to be resumed on " + next.Name) { IsDone = true, Detail = ServedBy(next.Threads) };

    private string? ServedBy(IReadOnlyList<int> threads)
    {
        const int most = 5;
        if (threads.Count == 0)
            return null;
        string ids = string.Join(", ", threads.Take(most).Select(id => id.ToString(CultureInfo.InvariantCulture))) + (threads.Count > most ? " and more" : "");
        string whose = $"whose thread{(threads.Count == 1 ? "" : "s")} {ids}";
        string?[] blocked = [.. threads.Select(BlockedIn)];
        if (blocked.Contains(null))
            return threads.Count == 1 ? whose + " does something else" : whose + " are not all blocked";
        return threads.Count == 1 ? $"{whose} is blocked in {blocked[0]}" : whose + " are all blocked";
    }

    private string? BlockedIn(int thread)
        => _innermost.TryGetValue(thread, out int segment) && readers.Segments[segment] is { IsBlocked: true } blocked ? read(blocked).WaitingOn?.Text ?? "unknown code" : null;
}
