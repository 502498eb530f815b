using Async2.Analysis.Layouts;
using Async2.Analysis.Model;

namespace Async2.Analysis.Threads;

/// <summary>
/// The thread that waits for an async Main, in a method that the compiler makes: every such program has one, so it says nothing, unless another
/// thread waits for what this one holds.
/// </summary>
internal static class EntryPoints
{
    // What a thread holds, or is waited for itself.
    private static readonly BlockingKind[] Held = [BlockingKind.MonitorEnter, BlockingKind.Lock, BlockingKind.ReaderWriterLock, BlockingKind.ThreadJoin];

    /// <summary>The same segments; one of a thread that is waited for waits for the task of the async Main.</summary>
    /// <param name="segments">Of all threads.</param>
    /// <param name="reasonOf">What a thread waits for, and who holds it.</param>
    public static IReadOnlyList<ThreadSegment> Join(IReadOnlyList<ThreadSegment> segments, Func<ThreadSegment, WaitReason?> reasonOf)
    {
        int entry = segments.ToList().FindIndex(segment => segment.EntryTask != 0);
        if (entry < 0 || !segments.Any(segment => WaitsForThread(segment) && reasonOf(segment)?.Holders.Contains(segments[entry].ThreadId) == true))
            return segments;
        return [.. segments.Select((segment, i) => i == entry ? segment with { BlockedOn = segment.EntryTask, IsEntryPoint = false, EntryTask = 0 } : segment)];
    }

    private static bool WaitsForThread(ThreadSegment segment)
        => segment.Initializer is not null || (segment.BlockedBy?.Facts is { } method && Held.Contains(BlockingCalls.Of(method.DeclaringType.FullName, method.RawName)));
}
