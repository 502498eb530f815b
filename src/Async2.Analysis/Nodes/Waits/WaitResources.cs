using Async2.Analysis.Layouts.Waits;
using Async2.Analysis.Targets;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Nodes.Waits;

/// <summary>
/// Semaphores, channels, events of the heap. Who waits for one does not point to it, so it has to be looked for; the heap is read
/// for that only when somebody waits.
/// </summary>
internal sealed class WaitResources
{
    private const int CancellationInterval = 0xffff;

    private readonly Lazy<IReadOnlyList<ulong>> _addresses;

    public WaitResources(Target target, CancellationToken cancellation) => _addresses = new(() => Walk(target, cancellation));

    /// <summary>When a walk over the heap has found them already.</summary>
    public WaitResources(IReadOnlyList<ulong> addresses) => _addresses = new(addresses);

    /// <summary>In address order of the heap's segments.</summary>
    public IReadOnlyList<ulong> Addresses => _addresses.Value;

    /// <summary>Whether objects of a type are to be found.</summary>
    public static bool IsResource(ClrType type, int pointerSize)
        => SemaphoreLayout.Of(type, pointerSize) is not null || ChannelLayout.Of(type, pointerSize) is not null || HolderLayout.Of(type, pointerSize) is not null;

    private static List<ulong> Walk(Target target, CancellationToken cancellation)
    {
        var found = new List<ulong>();
        var known = new Dictionary<ulong, bool>();
        long objects = 0;
        foreach (ClrSegment segment in target.Runtime.Heap.Segments.Where(s => IsSound(s, target.Origin)))
        {
            foreach (ClrObject item in segment.EnumerateObjects(carefully: true))
            {
                if ((++objects & CancellationInterval) == 0 && cancellation.IsCancellationRequested)
                    return found;
                if (item.Type is not { } type)
                    continue;
                if (!known.TryGetValue(type.MethodTable, out bool wanted))
                    known[type.MethodTable] = wanted = IsResource(type, target.Memory.PointerSize);
                if (wanted)
                    found.Add(item.Address);
            }
        }
        return found;
    }

    // As HeapWalk: in a segment that begins at 0 ClrMD never ends, and none is longer than its dump.
    private static bool IsSound(ClrSegment segment, TargetOrigin origin)
        => segment.Start != 0 && (origin.DumpPath is not { } path || segment.Length <= (ulong)new FileInfo(path).Length);
}
