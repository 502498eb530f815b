using Async2.Analysis.Model.Graph;

namespace Async2.Analysis.Snapshots;

/// <summary>Reads what waits for what.</summary>
internal static class EdgeReader
{
    public static AsyncGraph Read(ColumnReader part, NodeTable nodes)
    {
        int operations = part.Count(), segments = part.Count(), size = part.Below(nodes.Count + 1);
        if (operations != nodes.Operations || segments != nodes.Threads.Length || size < operations + segments)
            throw part.Damaged("it refers to other nodes");
        var graph = new AsyncGraph(operations, segments, size - operations - segments);
        for (int node = 0; node < size; node++)
        {
            int head = part.Below(int.MaxValue);
            foreach (int waiter in part.Near(head >> 1, 0, size))
            {
                if (!graph.Add(waiter, node) && !graph.IsCombinator(waiter))
                    throw part.Damaged("an operation waits for two nodes");
            }
            if ((head & 1) != 0 && !graph.IsCombinator(node))
                graph.Add(node, node);
        }
        for (int combinator = graph.Count; combinator < size; combinator++)
        {
            foreach (ulong leaf in part.NearAddresses(part.Count()))
                graph.AddLeaf(combinator, leaf);
        }
        for (int hold = part.Count(); hold > 0; hold--)
        {
            int waiter = part.Below(size);
            byte flags = part.Byte();
            graph.AddHold(waiter, new Hold(part.Near(part.Count(), 0, size), (flags & 1) != 0) { IsLimited = (flags & 2) != 0, IsOwnThread = (flags & 4) != 0 });
        }
        part.End();
        return graph;
    }
}
