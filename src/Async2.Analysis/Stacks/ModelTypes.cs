using Async2.Analysis.Awaiters;
using Async2.Analysis.Families;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Graph;
using Async2.Analysis.Nodes;

namespace Async2.Analysis.Stacks;

/// <summary>Reads the types of a model's objects. Frames of one site have objects of one type, so one of them is asked.</summary>
internal sealed class ModelTypes
{
    private readonly ObjectTypes _types;
    private readonly List<(ulong MethodTable, string? Name)> _all = [default];
    private readonly Dictionary<ulong, int> _ids = [];
    private (ulong MethodTable, int Id) _last;

    private ModelTypes(ObjectTypes types) => _types = types;

    /// <param name="types">Reads types; null where nobody can.</param>
    /// <param name="nodes">The nodes.</param>
    /// <param name="index">The objects, and what the walk over the heap has seen of their types.</param>
    /// <param name="stacks">What they wait for.</param>
    public static ObjectTypeTable Read(ObjectTypes? types, NodeTable nodes, HeapIndex index, RowList<StackRow> stacks)
        => types is null ? ObjectTypeTable.Empty : new ModelTypes(types).Read(nodes, index, stacks);

    private ObjectTypeTable Read(NodeTable nodes, HeapIndex index, RowList<StackRow> stacks)
    {
        int[] ofNodes = new int[nodes.Count];
        for (int node = 0; node < ofNodes.Length; node++)
            ofNodes[node] = node < nodes.Operations && index.Nodes[node] is var row && AsyncFamilies.Of(row).HasOwnType ? OfType(row.MethodTable) : OfObject(nodes.Addresses[node]);
        var ofWaits = new Dictionary<ulong, int>();
        ulong last = 0;
        for (int i = 0; i < stacks.Count; i++)
        {
            ulong address = stacks[i].WaitAddress;
            if (address != last && address != 0 && !ofWaits.ContainsKey(address))
                ofWaits[address] = OfObject(address);
            last = address;
        }
        return new ObjectTypeTable { Types = _all, OfNodes = ofNodes, OfSites = OfSites(index.Frames), OfWaits = ofWaits };
    }

    private int[] OfSites(FrameColumns frames)
    {
        int[] types = new int[frames.Sites.Count];
        var asked = new bool[types.Length];
        for (int i = 0; i < frames.Count; i++)
        {
            int site = frames.SiteOf(i);
            if (asked[site])
                continue;
            asked[site] = true;
            types[site] = OfObject(frames.AddressOf(i));
        }
        return types;
    }

    private int OfObject(ulong address) => address == 0 ? 0 : OfType(_types.MethodTableOf(address));

    private int OfType(ulong methodTable)
    {
        if (methodTable == _last.MethodTable)
            return _last.Id;
        if (!_ids.TryGetValue(methodTable, out int id))
        {
            _ids[methodTable] = id = _all.Count;
            _all.Add((methodTable, _types.NameOf(methodTable)));
        }
        _last = (methodTable, id);
        return id;
    }
}
