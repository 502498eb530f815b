using System.Collections.Immutable;
using Async2.Analysis.Model;
using Async2.Analysis.Query;
using Async2.Analysis.Rendering.Text;

namespace Async2.Dump.Dap.Session;

/// <summary>
/// Which stacks are listed as threads: the worst ones, up to a limit, and idle loops of frameworks only if there is nothing else.
/// A stack that a user opens is listed from then on.
/// </summary>
internal sealed class ThreadList
{
    private readonly HashSet<int> _shown = [];
    private readonly int[] _order;

    public ThreadList(StackView snapshot, int most)
    {
        var drawn = ShownStacks.Of(snapshot);
        Idle = drawn.Listed.IsEmpty ? [] : drawn.Idle;
        _order = StackRanks.InOrder(snapshot);
        // Idle loops come last.
        int all = snapshot.Stacks.Length - Idle.Length;
        foreach (int thread in _order.Take(Math.Min(most, all)))
            _shown.Add(thread);
        First = _order.Length > 0 ? _order[0] : 1;
        LeftOut = all - _shown.Count;
    }

    /// <summary>The one to show first.</summary>
    public int First { get; }

    /// <summary>Idle loops, if none of them is listed.</summary>
    public ImmutableArray<LogicalStack> Idle { get; }

    /// <summary>The number of other stacks that are not listed.</summary>
    public int LeftOut { get; }

    /// <summary>Their numbers, worst first.</summary>
    public IEnumerable<int> Shown => _order.Where(_shown.Contains);

    /// <summary>Sorts numbers of stacks, worst first.</summary>
    public IReadOnlyList<int> Sorted(IReadOnlyList<int> threads)
    {
        if (threads.Count == _order.Length)
            return _order;
        HashSet<int> wanted = [.. threads];
        return [.. _order.Where(wanted.Contains)];
    }

    /// <summary>Lists one more.</summary>
    public void Show(int thread) => _shown.Add(thread);
}
