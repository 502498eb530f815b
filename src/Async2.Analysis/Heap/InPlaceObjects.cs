using Async2.Analysis.Holders;
using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Descriptions;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Nodes;
using Async2.Analysis.Targets;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Heap;

/// <summary>
/// Lists objects of a heap that lies in this process: from one to the next over the raw bytes, as they are walked for what is async. Which types have objects is known after the first time, so
/// the heap is not walked for types that have none.
/// </summary>
/// <param name="target">The target.</param>
/// <param name="facts">What descriptions say of its runtime.</param>
internal sealed class InPlaceObjects(Target target, LayoutFacts facts) : IAllObjects
{
    // In the order in which they were met; null for what is not a type.
    private readonly Dictionary<ulong, (ClrType Type, uint Size)?> _types = [];
    private bool _isWhole;

    /// <inheritdoc/>
    public IEnumerable<(ulong Address, ClrType Type)> Of(Func<ClrType, bool> isWanted)
    {
        var asked = new Dictionary<ulong, bool>();
        bool IsWanted(ulong methodTable, ClrType type) => asked.TryGetValue(methodTable, out bool known) ? known : asked[methodTable] = isWanted(type);
        if (_isWhole)
        {
            bool isAny = false;
            foreach ((ulong methodTable, (ClrType Type, uint Size)? known) in _types)
                isAny |= known is { Type: var type } && IsWanted(methodTable, type);
            if (!isAny)
                yield break;
        }
        var types = new HeapTypes(methodTable => Describe(methodTable, IsWanted));
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
                if (MethodTables.TryRead(target.Memory, address, out ulong methodTable) && asked.GetValueOrDefault(methodTable) && _types.GetValueOrDefault(methodTable) is { Type: var type })
                    yield return (address, type);
            }
        }
        _isWhole = true;
    }

    // What is wanted is noted as a resource is; nothing is async here.
    private HeapType? Describe(ulong methodTable, Func<ulong, ClrType, bool> isWanted)
    {
        if (!_types.TryGetValue(methodTable, out (ClrType Type, uint Size)? known))
            _types[methodTable] = known = TypeLookup.Of(target.Runtime, methodTable) is { } type && HeapTypeReader.SizeOf(type, target.Memory.PointerSize) is { } size ? (type, (uint)size) : null;
        return known is { } found ? new HeapType(methodTable, found.Size, (ushort)found.Type.ComponentSize, AsyncTypeKind.Other, isWanted(methodTable, found.Type)) : null;
    }
}
