using Async2.Analysis.Layouts.Waits;
using Async2.Analysis.Layouts;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Waits.Reading;

/// <summary>
/// Semaphores, channels, events, pools and other objects of libraries, threads, and what is queued to them. Who waits for
/// one does not point to it, so the walk over the heap notes them.
/// </summary>
/// <param name="Addresses">In address order of the heap's segments.</param>
internal sealed record WaitResources(IReadOnlyList<ulong> Addresses)
{
    /// <summary>Whether objects of a type are to be found.</summary>
    public static bool IsResource(ClrType type, int pointerSize)
        => SemaphoreLayout.Of(type, pointerSize) is not null || ChannelLayout.Of(type, pointerSize) is not null || HolderLayout.Of(type, pointerSize) is not null
            || OlderChannelLayout.Of(type, pointerSize) is not null || FSharpAsyncLayout.KindOf(type) != FSharpAsyncKind.None
            || IsOfThreads(type, pointerSize) || LibraryLayout.Of(type) is not null;

    // Threads, what is queued to them, and to the pool.
    private static bool IsOfThreads(ClrType type, int pointerSize)
        => type.Name?.StartsWith("System.Threading.", StringComparison.Ordinal) == true
            && (CapturedPlaceLayout.Of(type, pointerSize) is not null || ThreadContextLayout.Of(type, pointerSize) is not null || PoolLayout.Of(type, pointerSize) is not null
                || PoolQueueLayout.Of(type, pointerSize) is not null || StealingQueueLayout.Of(type, pointerSize) is not null);
}
