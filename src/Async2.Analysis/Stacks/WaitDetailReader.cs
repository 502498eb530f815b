using Async2.Analysis.Model.Graph;
using Async2.Analysis.Model;
using Async2.Analysis.Waits.Reading;

namespace Async2.Analysis.Stacks;

/// <summary>
/// Asks what stacks wait for why it has not happened yet, each object once. Of very many only some are asked, and that is said: no
/// reader wants to know of a million timers when each is due.
/// </summary>
internal sealed class WaitDetailReader(Func<ulong, WaitFacts?> describe)
{
    /// <summary>So many objects are asked at most.</summary>
    public const int Limit = 100_000;

    private readonly Dictionary<ulong, WaitDetail> _known = [];
    private readonly HashSet<ulong> _asked = [];

    /// <summary>What is waited for by stacks, and by combinators where no stack says it.</summary>
    /// <returns>What was found by address, and how many were not asked.</returns>
    public (IReadOnlyDictionary<ulong, WaitDetail> Details, long Left) Read(IEnumerable<StackRow> rows, AsyncGraph graph)
    {
        long left = 0;
        foreach (StackRow row in rows)
        {
            if (row.WaitAddress != 0 && !Ask(row.WaitAddress))
                left++;
        }
        for (int combinator = graph.Count; combinator < graph.Size; combinator++)
        {
            foreach (ulong leaf in graph.LeavesOf(combinator))
                left += Ask(leaf) ? 0 : 1;
        }
        return (_known, left);
    }

    private bool Ask(ulong address)
    {
        if (_asked.Contains(address))
            return true;
        if (_asked.Count >= Limit)
            return false;
        _asked.Add(address);
        if (describe(address) is { } facts)
            _known[address] = new(WaitDescriber.KindOf(facts.Family), facts.What, facts.State, facts.Own, facts.Resource);
        return true;
    }
}
