using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Model.Graph;
using Async2.Analysis.Stacks.Frames;
using Async2.Analysis.Waits.Faults;

namespace Async2.Analysis.Stacks;

/// <summary>Collects failures of which nobody has heard, and who will: a combinator that still waits for others, or a method that has the task for later.</summary>
/// <param name="input">The operations.</param>
/// <param name="graph">Who waits for whom.</param>
/// <param name="chains">Frames of the operations.</param>
/// <param name="table">Numbers of places.</param>
/// <param name="reader">Reads failures.</param>
internal sealed class FaultColumn(StackInput input, AsyncGraph graph, ChainReader chains, FrameTable table, FaultReader reader)
{
    // Above, nobody searches frames for tasks that they look at later.
    private const int FrameLimit = 200_000;

    public IReadOnlyList<FaultRow> Read()
    {
        IReadOnlyList<Fault> faults = reader.Read();
        if (faults.Count == 0)
            return [];
        Dictionary<ulong, int> waiters = Waiters();
        var rows = new List<FaultRow>();
        foreach (Fault fault in faults)
        {
            int[] places = [.. fault.Frames.Select(table.IdOf).Where(place => table[place].Origin == FrameOrigin.User)];
            // What libraries leave behind is their business.
            if (places.Length > 0)
                rows.Add(new(fault.Task, fault.Exception, fault.Message, places[0], places[^1], fault.IsOfService ? -1 : waiters.GetValueOrDefault(fault.Task, -1)) { IsOfService = fault.IsOfService });
        }
        return rows;
    }

    private Dictionary<ulong, int> Waiters()
    {
        var waiters = new Dictionary<ulong, int>();
        for (int combinator = graph.Count; combinator < graph.Size; combinator++)
            Add(input.Index.Combinators[combinator - graph.Count].Address, combinator, waiters);
        for (int node = 0; node < graph.Operations && input.Index.Frames.Count < FrameLimit; node++)
        {
            if (input.Index.Nodes[node] is { IsChain: false } machine)
                Add(machine.Address, node, waiters);
            for (int frame = chains.FirstSuspendedOf(node, graph, input.Segments), i = 0; frame >= 0 && i < FrameLimit; frame = input.Index.Frames.Next(frame), i++)
                Add(input.Index.Frames.SavedOf(frame).GCData, node, waiters);
        }
        return waiters;
    }

    private void Add(ulong holder, int node, Dictionary<ulong, int> waiters)
    {
        foreach (ulong task in reader.HeldBy(holder))
            waiters.TryAdd(task, node);
    }
}
