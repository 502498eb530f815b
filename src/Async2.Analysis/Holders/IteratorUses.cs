using Async2.Analysis.Holders.Flow;
using Async2.Analysis.Holders.Kept;
using Async2.Analysis.Targets;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Holders;

/// <summary>
/// Async iterators of the user's that stand between two elements: what they will use is used by who asks them for the next one, and that is who has them. One may have others, whose elements it hands on.
/// </summary>
/// <param name="target">The target.</param>
/// <param name="objects">Lists objects.</param>
/// <param name="iterators">Reads them.</param>
/// <param name="use">What they do.</param>
internal sealed class IteratorUses(Target target, IAllObjects objects, HeldIterators iterators, FrameUse use)
{
    // Operators of a pipeline, one around the other.
    private const int Depth = 8;
    private const int Limit = 10_000;

    private readonly Lazy<Dictionary<ulong, ulong[]>> _used = new(() => Find(target, objects, iterators, use));

    /// <summary>There are such.</summary>
    public bool HasAny => _used.Value.Count > 0;

    /// <summary>What a frame uses through those that it has; 0 among it for what is not known.</summary>
    /// <param name="frame">Address of its continuation, or of its state machine's box.</param>
    public IEnumerable<ulong> UsedBy(ulong frame)
        => HasAny ? Held(target, frame).SelectMany(item => _used.Value.GetValueOrDefault(item, [])).Distinct() : [];

    private static Dictionary<ulong, ulong[]> Find(Target target, IAllObjects objects, HeldIterators iterators, FrameUse use)
    {
        if (!target.Origin.CanSearchHeap())
            return [];
        ulong[] all = [.. objects.Of(iterators.IsOfUser).Select(item => item.Address).Where(item => FieldsAt.Of(target, item) is { } fields && iterators.YieldOf(fields) is not null).Take(Limit)];
        var used = all.Select(item => (item, Uses: iterators.Used(use, item))).Where(pair => pair.Uses.Length > 0).ToDictionary(pair => pair.item, pair => pair.Uses);
        for (int depth = 0, known = 0; depth < Depth && used.Count > known; depth++)
        {
            known = used.Count;
            foreach (ulong outer in all.Where(item => !used.ContainsKey(item)))
            {
                ulong[] inner = [.. Held(target, outer).SelectMany(item => used.GetValueOrDefault(item, [])).Distinct()];
                if (inner.Length > 0)
                    used[outer] = inner;
            }
        }
        return used;
    }

    // A continuation of .NET 10 has an array for its references, and the box of an iterator, or of any state machine in Debug, refers to that.
    private static IEnumerable<ulong> Held(Target target, ulong owner)
    {
        foreach (ClrObject held in target.Runtime.Heap.GetObject(owner).EnumerateReferences(carefully: true, considerDependantHandles: false))
        {
            yield return held.Address;
            foreach (ulong item in held.Type is { IsArray: true } || held.Type?.GetFieldByName(MachineFields.State) is not null ? held.EnumerateReferenceAddresses(carefully: true, considerDependantHandles: false) : [])
                yield return item;
        }
    }
}
