namespace Async2.Analysis.Waits.Reading;

/// <summary>
/// Semaphores, channels, events, pools and other objects of libraries, threads, and the work queued to them. Their waiters
/// have no reference to them, so the heap walk records their addresses.
/// </summary>
/// <param name="Addresses">In address order of the heap's segments.</param>
internal sealed record WaitResources(IReadOnlyList<ulong> Addresses);
