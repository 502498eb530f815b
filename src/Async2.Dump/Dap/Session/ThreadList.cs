using System.Collections.Immutable;
using Async2.Analysis.Model;
using Async2.Analysis.Query;
using Async2.Analysis.Rendering.Text;

namespace Async2.Dump.Dap.Session;

/// <summary>
/// Which stacks are shown as threads: the first ones of the answer, up to a limit, but those of a deadlock before all others, and
/// idle loops of frameworks only where there is nothing else.
/// Whichever stack somebody opens is shown from then on.
/// </summary>
internal sealed class ThreadList
{
    private readonly SortedSet<int> _shown = [];

    public ThreadList(StackView snapshot, int most)
    {
        var drawn = ShownStacks.Of(snapshot);
        Idle = drawn.Listed.IsEmpty ? [] : drawn.Idle;
        // Idle loops are the last.
        int all = snapshot.Stacks.Length - Idle.Length;
        for (int i = 0; i < all && _shown.Count < most; i++)
        {
            if (snapshot.Stacks[i].State == StackState.Deadlocked)
                _shown.Add(i + 1);
        }
        First = _shown.Count > 0 ? _shown.Min : 1;
        for (int i = 0; i < all && _shown.Count < most; i++)
            _shown.Add(i + 1);
        LeftOut = all - _shown.Count;
    }

    /// <summary>The one to look at first.</summary>
    public int First { get; }

    /// <summary>Idle loops, none of which is shown.</summary>
    public ImmutableArray<LogicalStack> Idle { get; }

    /// <summary>How many others are not shown.</summary>
    public int LeftOut { get; }

    /// <summary>Their numbers, in the order of the answer.</summary>
    public IEnumerable<int> Shown => _shown;

    /// <summary>Shows one more.</summary>
    public void Show(int thread) => _shown.Add(thread);
}
