namespace Async2.Analysis.Waits.Reading;

/// <summary>
/// Semaphores, channels, events, pools and other objects of libraries, threads, and what is queued to them. Who waits for
/// one does not point to it, so the walk over the heap notes them.
/// </summary>
/// <param name="Addresses">In address order of the heap's segments.</param>
internal sealed record WaitResources(IReadOnlyList<ulong> Addresses);
