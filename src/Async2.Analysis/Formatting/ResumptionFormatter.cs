using System.Collections.Immutable;
using Async2.Analysis.Model;

namespace Async2.Analysis.Formatting;

/// <summary>Text for what delays a stack whose awaited task has completed: the threads that could resume it, and what they do instead.</summary>
internal static class ResumptionFormatter
{
    private const int MostThreads = 5;

    /// <summary>Null if no delay is known.</summary>
    public static string? Of(WaitReason reason) => reason.Action switch
    {
        WaitAction.ResumedBy => reason.Shared is [var thread, ..] && thread.Text is { } call ? "which is blocked in " + call : "which does something else",
        WaitAction.ResumedOn => ServedBy(reason.Shared),
        WaitAction.QueuedToPool => reason.Shared is [var busy, var queued]
            ? FormattableString.Invariant($"which has no free worker: {busy.Number} of {busy.Of} busy, {WaitNumbers.Count(queued.Number, "item")} queued")
            : null,
        _ => null,
    };

    private static string? ServedBy(ImmutableArray<WaitFact> threads)
    {
        if (threads.IsEmpty)
            return null;
        string whose = $"whose thread{(threads.Length == 1 ? "" : "s")} {WaitNumbers.Ids(threads.AsSpan(), MostThreads)}";
        if (threads.Any(thread => thread.Text is null))
            return threads.Length == 1 ? whose + " does something else" : whose + " are not all blocked";
        return threads.Length == 1 ? $"{whose} is blocked in {threads[0].Text}" : whose + " are all blocked";
    }
}
