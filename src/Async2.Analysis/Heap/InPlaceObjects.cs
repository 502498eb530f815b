using Async2.Analysis.Holders;
using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Descriptions;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Nodes;
using Async2.Analysis.Targets;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Heap;

/// <summary>Lists objects of a heap that lies in this process: from one to the next over the raw bytes, as they are walked for what is async.</summary>
/// <param name="target">The target.</param>
/// <param name="facts">What descriptions say of its runtime.</param>
internal sealed class InPlaceObjects(Target target, LayoutFacts facts) : IAllObjects
{
    /// <inheritdoc/>
    public IEnumerable<(ulong Address, ClrType Type)> Of(Func<ClrType, bool> isWanted)
    {
        var wanted = new Dictionary<ulong, ClrType>();
        var types = new HeapTypes(methodTable => Describe(methodTable, isWanted, wanted));
        var gaps = HeapGaps.Of(target.Runtime.Heap, target.Memory.PointerSize);
        var sites = new SiteTable();
        SegmentWalk NewWalk() => new(target.Memory, types, new AsyncObjectReader(new HeapTypeReader(target, facts), sites), gaps, CancellationToken.None);
        SegmentWalk walk = NewWalk();
        var damage = new HeapDamage(NewWalk(), target.Origin.IsStill, gaps.Exhausted, CancellationToken.None);
        foreach (ClrSegment segment in target.Runtime.Heap.Segments)
        {
            if (segment.End <= segment.Start)
                continue;
            var rows = new List<SegmentRows> { walk.Run(segment.Start, segment.End) };
            foreach (HeapRange rest in rows[0].Broken)
                damage.WalkRest(rest.Start, rest.End, rows.Add);
            foreach (ulong address in ColumnPart<ulong>.Join(rows, row => row.Resources))
            {
                if (MethodTables.TryRead(target.Memory, address, out ulong methodTable) && wanted.TryGetValue(methodTable, out ClrType? type))
                    yield return (address, type);
            }
        }
    }

    // What is wanted is noted as a resource is; nothing is async here.
    private HeapType? Describe(ulong methodTable, Func<ClrType, bool> isWanted, Dictionary<ulong, ClrType> wanted)
    {
        if (TypeLookup.Of(target.Runtime, methodTable) is not { } type || HeapTypeReader.SizeOf(type, target.Memory.PointerSize) is not { } size)
            return null;
        bool takes = isWanted(type);
        if (takes)
            wanted[methodTable] = type;
        return new HeapType(methodTable, (uint)size, (ushort)type.ComponentSize, AsyncTypeKind.Other, takes);
    }
}
