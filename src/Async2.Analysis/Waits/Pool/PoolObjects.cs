using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Waits.Reading;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Waits.Pool;

/// <summary>
/// The objects of the runtime's thread pool (System.Private.CoreLib of .NET 8 to 10.0.12). The walk over the heap notes them: no static
/// field has to be found, which the runtime may not have initialized.
/// </summary>
internal sealed class PoolObjects
{
    private readonly Dictionary<PoolPart, List<HeapObject>> _parts = [];

    /// <param name="all">The target's objects.</param>
    public PoolObjects(WaitReaderContext all)
    {
        LayoutCache<PoolTypeLayout> types = all.Layouts(PoolTypeLayout.Of);
        foreach (ulong address in all.Resources.Addresses)
        {
            HeapObject item = all.At(address);
            if (types.Of(item) is not { } type)
                continue;
            if (!_parts.TryGetValue(type.Part, out List<HeapObject>? parts))
                _parts[type.Part] = parts = [];
            parts.Add(item);
        }
    }

    /// <summary>In address order.</summary>
    public IReadOnlyList<HeapObject> Of(PoolPart part) => _parts.GetValueOrDefault(part) ?? [];

    /// <summary>The first of them; one without an address if there is none.</summary>
    public HeapObject FirstOf(PoolPart part) => Of(part) is [var first, ..] ? first : default;

    /// <summary>The walk over the heap notes them.</summary>
    public static bool IsResource(ClrType type) => PoolTypeLayout.PartOf(type) is not null;
}

/// <summary>What an object is to the pool.</summary>
internal enum PoolPart
{
    /// <summary>The pool itself: numbers of workers.</summary>
    Pool,

    /// <summary>What all workers take from.</summary>
    SharedQueue,

    /// <summary>What one worker has queued for itself.</summary>
    OwnQueue,

    /// <summary>Decides how many workers there should be, and keeps a log of it.</summary>
    Goal,

    /// <summary>Timers of one processor: it knows a time that has come.</summary>
    Timers,

    /// <summary>A thread, which may be a worker.</summary>
    Thread,
}

/// <summary>A type of which the pool has objects.</summary>
internal sealed record PoolTypeLayout(PoolPart Part)
{
    private static readonly Dictionary<string, PoolPart> Names = new(StringComparer.Ordinal)
    {
        ["System.Threading.PortableThreadPool"] = PoolPart.Pool,
        ["System.Threading.ThreadPoolWorkQueue"] = PoolPart.SharedQueue,
        ["System.Threading.ThreadPoolWorkQueue+WorkStealingQueue"] = PoolPart.OwnQueue,
        ["System.Threading.PortableThreadPool+HillClimbing"] = PoolPart.Goal,
        ["System.Threading.TimerQueue"] = PoolPart.Timers,
        ["System.Threading.Thread"] = PoolPart.Thread,
    };

    public static PoolPart? PartOf(ClrType type) => type.Name is { } name && Names.TryGetValue(name, out PoolPart part) ? part : null;

    public static PoolTypeLayout? Of(ClrType type, int _) => PartOf(type) is { } part ? new(part) : null;
}
