using Async2.Analysis.Targets.Memory;

namespace Async2.Analysis.Targets.Stopping;

/// <summary>
/// Reads how often a runtime has collected garbage, while it runs or is stopped: five numbers of its own, so it takes some microseconds.
/// </summary>
/// <param name="memory">The process; disposed with this.</param>
/// <param name="counts">Where the collector counts collections of each generation, the younger ones included (<c>dd_collection_count</c>).</param>
/// <param name="concurrent">Where it notes that it collects in the background (<c>settings.concurrent</c>).</param>
/// <param name="suspension">Tells that threads are suspended; null where the runtime does not say.</param>
internal sealed class CollectionClock(LiveMemory memory, CollectionClock.Places counts, ulong concurrent, RuntimeSuspension? suspension) : IDisposable
{
    /// <summary>Memory of the process, as it is now.</summary>
    public LiveMemory Memory => memory;

    /// <summary>Now.</summary>
    public Collections Now => new(Number(counts.Generation0), Number(counts.Generation1), Number(counts.Generation2), Number(concurrent) != 0 || suspension is { IsSuspending: true });

    /// <inheritdoc/>
    public void Dispose() => memory.Dispose();

    private uint Number(ulong address) => memory.Read<uint>(address);

    /// <summary>Addresses of three counts.</summary>
    internal sealed record Places(ulong Generation0, ulong Generation1, ulong Generation2);
}

/// <summary>How often garbage was collected. Each collection counts for its generation and for all younger ones.</summary>
/// <param name="Young">Of any generation.</param>
/// <param name="Middle">Of generations 1 and 2: these put objects into the old part of the heap.</param>
/// <param name="Old">Of generation 2: these move objects, or make free space of them.</param>
/// <param name="IsBusy">A collection goes on, or threads are suspended for one.</param>
internal readonly record struct Collections(uint Young, uint Middle, uint Old, bool IsBusy)
{
    /// <summary>Nothing has come into the old part of the heap since, or left it.</summary>
    public bool LeftOldAsIn(in Collections before) => Middle == before.Middle && Old == before.Old && !IsBusy;
}
