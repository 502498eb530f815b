using System.Collections.Immutable;
using Async2.Analysis.Model;
using Async2.Analysis.Query;
using Async2.Analysis.Rendering.Text;

namespace Async2.Dump.Dap.Session;

/// <summary>
/// Which stacks are listed as threads: the first ones of the answer, up to a limit, with deadlocked ones first, and
/// idle loops of frameworks only if there is nothing else.
/// A stack that a user opens is listed from then on.
/// </summary>
internal sealed class ThreadList
{
    private readonly SortedSet<int> _shown = [];

    public ThreadList(StackView snapshot, int most)
    {
        var drawn = ShownStacks.Of(snapshot);
        Idle = drawn.Listed.IsEmpty ? [] : drawn.Idle;
        // Idle loops come last.
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

    /// <summary>The one to show first.</summary>
    public int First { get; }

    /// <summary>Idle loops, if none of them is listed.</summary>
    public ImmutableArray<LogicalStack> Idle { get; }

    /// <summary>The number of other stacks that are not listed.</summary>
    public int LeftOut { get; }

    /// <summary>Their numbers, in the order of the answer.</summary>
    public IEnumerable<int> Shown => _shown;

    /// <summary>Lists one more.</summary>
    public void Show(int thread) => _shown.Add(thread);
}
