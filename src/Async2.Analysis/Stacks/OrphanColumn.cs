using Async2.Analysis.Model;
using Async2.Analysis.Model.Graph;
using Async2.Analysis.Nodes;
using Async2.Analysis.Reachability;
using Async2.Analysis.Targets.Contract;

namespace Async2.Analysis.Stacks;

/// <summary>Asks which waits nothing can end, if there is one of which that can be said at all, and which operations nobody waits for.</summary>
/// <param name="index">The operations.</param>
/// <param name="graph">Who waits for whom.</param>
/// <param name="source">Answers for the target.</param>
/// <param name="problems">Told why nothing is known.</param>
/// <param name="phase">Receives the name of the phase.</param>
internal sealed class OrphanColumn(HeapIndex index, AsyncGraph graph, IStackSource source, ProblemLog problems, Action<string> phase)
{
    // Of a million operations that nobody waits for, the first are enough.
    private const int AskedLimit = 100_000;

    // A reader of the answer wants to know whether somebody waits, not who.
    private const int WaiterLimit = 1_000;

    /// <param name="gates">The waits in question.</param>
    /// <param name="mailboxes">Finds out who reads mailboxes; null if there is no code to read.</param>
    /// <param name="cancellation">When set, nothing is known.</param>
    public GraphFacts Read(WaitGates gates, Func<WaitGates, MailboxColumn?> mailboxes, CancellationToken cancellation)
    {
        phase("finding waits without an end");
        if (source.OrphanSearch != OrphanSearch.None)
            gates.Find(source.OrphanSearch == OrphanSearch.IsTooBig);
        MailboxColumn? readers = source.OrphanSearch == OrphanSearch.Heap && gates.HasCandidate ? mailboxes(gates) : null;
        readers?.Find();
        int[] alone = [.. Alone().Take(AskedLimit)];
        var lost = new List<LostRow>();
        foreach (int node in alone)
        {
            if (source.WasLeft(index.Nodes[node].Awaiter))
                lost.Add(new(node, LostFact.WaiterLeft));
        }
        if (source.FindOrphans(gates.Gates, [.. alone.Select(node => index.Nodes[node].Address)], gates.HasCandidate, cancellation) is not { } answer)
            return new() { Lost = lost };
        if (answer.Fault is { } fault)
        {
            problems.Add(ProblemCodes.ReachUnknown, $"it is not known which waits nothing can end: {fault}");
            return new() { Replies = [.. readers?.Room() ?? []], Nobodys = readers?.Nobodys(new HashSet<ulong>()) ?? [], Lost = lost };
        }
        lost.AddRange(alone.Where(node => answer.Lost.Contains(index.Nodes[node].Address)).Select(node => new LostRow(node, LostFact.Unreachable)));
        var orphans = new List<OrphanRow>();
        foreach ((WaitGate gate, OrphanFact fact) in answer.Waits)
            orphans.AddRange(gates.LeavesOf(gate).Select(leaf => new OrphanRow(leaf.Awaited, leaf.Node, fact == OrphanFact.Unreachable && IsMissed(leaf.Node, answer.Lost) ? OrphanFact.OnlyWaiters : fact)));
        HashSet<ulong> ended = [.. answer.Waits.Select(wait => wait.Wait.Awaited)];
        return new() { Nobodys = readers?.Nobodys(ended) ?? [], Replies = readers is null ? [] : [.. readers.Read(answer.Shut, ended).Concat(readers.Room()).OrderBy(row => row.Promise)], Orphans = [.. orphans.OrderBy(row => row.Node)], Lost = [.. lost.OrderBy(row => row.Node).ThenBy(row => row.Fact)] };
    }

    // Somebody has a task that ends with the operation, through whatever awaits it: it is missed.
    private bool IsMissed(int node, IReadOnlySet<ulong> lost)
    {
        var seen = new HashSet<int> { node };
        var ahead = new Stack<int>(seen);
        for (int asked = 0; asked < WaiterLimit && ahead.TryPop(out int next); asked++)
        {
            ArraySegment<int> waiters = graph.AwaitedBy(next);
            if (waiters.Count == 0 && (graph.IsSegment(next) || (next < graph.Operations && index.Nodes[next].Kind is NodeKind.Chain or NodeKind.Machine && !lost.Contains(index.Nodes[next].Address))))
                return true;
            foreach (int waiter in waiters)
            {
                if (seen.Add(waiter))
                    ahead.Push(waiter);
            }
        }
        return false;
    }

    private IEnumerable<int> Alone()
    {
        for (int node = 0; node < graph.Operations; node++)
        {
            if (graph.AwaitedBy(node).Count == 0 && !graph.RunsOn(node) && index.Nodes[node].Kind is NodeKind.Chain or NodeKind.Machine)
                yield return node;
        }
    }
}
