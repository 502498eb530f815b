using Async2.Analysis.Model;
using Async2.Analysis.Model.Graph;
using Async2.Analysis.Nodes;
using Async2.Analysis.Stacks.Frames;

namespace Async2.Analysis.Stacks;

/// <summary>
/// Who makes room in a full block of Dataflow: the methods that handle its items, if it handles no more at once. Each gives back the room of its item when it is done, and nothing else
/// does (decision 68).
/// </summary>
internal sealed class BlockRoom(StackInput input, AsyncGraph graph, ChainReader chains, FrameTable table, IStackSource source)
{
    private readonly HeapIndex _index = input.Index;

    /// <param name="reasons">Why awaited objects have not happened.</param>
    public IEnumerable<ReplyRow> Read(IReadOnlyDictionary<ulong, WaitReason> reasons)
    {
        var workers = reasons.Values.Where(IsFull).Select(reason => reason.Resource).Distinct().Where(block => source.WorkersOf(block) is not null).ToDictionary(block => block, _ => new List<(int Node, int Place)>());
        if (workers.Count == 0)
            return [];
        var waiters = new List<ulong>();
        for (int node = 0; node < graph.Operations; node++)
        {
            if (_index.Nodes[node].Awaiter == 0)
                continue;
            waiters.Clear();
            source.ReadAwaiters(_index.Nodes[node].Awaiter, waiters);
            foreach (ulong block in waiters.Select(source.BlockToldBy).Distinct())
            {
                if (block != 0 && workers.TryGetValue(block, out List<(int Node, int Place)>? known))
                    known.Add((node, PlaceOf(node)));
            }
        }
        return workers.OrderBy(pair => pair.Key).Where(pair => pair.Value.Count == source.WorkersOf(pair.Key) && pair.Value.TrueForAll(one => one.Place >= 0))
            .SelectMany(pair => pair.Value.Select(one => new ReplyRow(pair.Key, one.Node, one.Place, pair.Key, Confidence.Likely)));
    }

    private static bool IsFull(WaitReason reason)
        => reason is { Kind: WaitKind.Channel, Action: WaitAction.Send, Resource: not 0 } && reason.Shared.Any(fact => fact is { Key: WaitFactKey.Items, Of: { } all } && fact.Number >= all);

    // The method that the block called: the outermost one.
    private int PlaceOf(int node)
    {
        NodeRow row = _index.Nodes[node];
        if (!row.IsChain)
            return row.Kind == NodeKind.Machine ? table.IdOf(row) : -1;
        int place = -1;
        for (int frame = chains.FirstSuspendedOf(node, graph, input.Segments), steps = 0; frame >= 0 && !_index.Frames.IsFinal(frame) && steps < _index.Frames.Count; frame = _index.Frames.Next(frame), steps++)
        {
            if (table.IdOf(frame) is var id && table[id].Point.Method is { IsUserBody: true })
                place = id;
        }
        return place;
    }
}
