using System.Runtime.InteropServices;
using Async2.Analysis.Model;

namespace Async2.Analysis.Operations;

/// <summary>An operation in two models.</summary>
/// <param name="Before">Number of its stack in the earlier one.</param>
/// <param name="After">The same in the later one.</param>
/// <param name="IsStuck">It is in the same place, and waits for the same.</param>
/// <param name="By">How it was known again.</param>
[StructLayout(LayoutKind.Auto)]
internal readonly record struct StackPair(int Before, int After, bool IsStuck, MatchedBy By);

/// <summary>
/// Which stacks of two models of a process are the same operation. By address where no collection came between: an address is not used again before.
/// After one see <see cref="MovedPairs"/>.
/// </summary>
internal sealed class StackPairs
{
    /// <summary>The target's tick and a timer's are read one after the other.</summary>
    public const long ClockStep = 2;

    private readonly OperationRows _before;
    private readonly OperationRows _after;
    private readonly Dictionary<int, StackPair> _byBefore = [];
    private readonly Dictionary<int, StackPair> _byAfter = [];

    /// <param name="before">The earlier one.</param>
    /// <param name="after">The later one.</param>
    /// <param name="collected">A collection came between.</param>
    public StackPairs(OperationRows before, OperationRows after, bool collected)
    {
        (_before, _after) = (before, after);
        PairThreads();
        if (collected)
            new MovedPairs(before, after, this).Find();
        else
            PairAddresses();
    }

    /// <summary>Which stacks of two models of one process are the same operation.</summary>
    /// <param name="before">The earlier one.</param>
    /// <param name="after">The later one.</param>
    /// <param name="collected">Whether a collection came between; null where nothing tells.</param>
    public static StackPairs Between(AsyncModel before, AsyncModel after, out bool? collected)
    {
        collected = Collections.Between(before, after);
        bool hasClock = before.Target.Tick is not null && after.Target.Tick is not null;
        return new(new(before, hasClock), new(after, hasClock), collected == true);
    }

    /// <summary>What became of a stack of the earlier model; null if it is gone.</summary>
    public StackPair? OfBefore(int stack) => _byBefore.TryGetValue(stack, out StackPair pair) ? pair : null;

    /// <summary>Where a stack of the later model comes from; null if it is new.</summary>
    public StackPair? OfAfter(int stack) => _byAfter.TryGetValue(stack, out StackPair pair) ? pair : null;

    /// <summary>Stacks of the earlier model that are not known again yet.</summary>
    public IEnumerable<int> LeftBefore => _before.Stacks.Where(stack => !_byBefore.ContainsKey(stack));

    /// <summary>Stacks of the later model of which nobody knows yet where they come from.</summary>
    public IEnumerable<int> LeftAfter => _after.Stacks.Where(stack => !_byAfter.ContainsKey(stack));

    /// <summary>Two stacks are one operation, unless one of them is known as another.</summary>
    public void Add(int before, int after, bool isStuck, MatchedBy by)
    {
        var pair = new StackPair(before, after, isStuck, by);
        if (!_byBefore.ContainsKey(before) && _byAfter.TryAdd(after, pair))
            _byBefore.Add(before, pair);
    }

    // Threads of a pool execute one operation after the other: only who still stands there is the same.
    private void PairThreads()
    {
        ILookup<int, int> known = _before.Stacks.Where(stack => _before.ThreadOf(stack) is not null).ToLookup(stack => _before.ThreadOf(stack)!.Value);
        foreach (int after in _after.Stacks)
        {
            if (_after.ThreadOf(after) is not { } thread)
                continue;
            foreach (int before in known[thread].Where(stack => IsSamePlace(stack, after) && _before.WaitOf(stack) == _after.WaitOf(after)))
                Add(before, after, isStuck: true, MatchedBy.Thread);
        }
    }

    private void PairAddresses()
    {
        PairBy(_before.OperationOf, _after.OperationOf);
        // Of state machines each has its own object: the innermost may have returned to a caller that goes on.
        PairBy(_before.OutermostOf, _after.OutermostOf);
    }

    private void PairBy(Func<int, ulong> before, Func<int, ulong> after)
    {
        var known = new Dictionary<ulong, int>();
        foreach (int stack in LeftBefore)
            known.TryAdd(before(stack), stack);
        foreach (int stack in LeftAfter.ToArray())
        {
            if (after(stack) is not 0 and var address && known.TryGetValue(address, out int same))
                Add(same, stack, IsStuck(same, stack), MatchedBy.Address);
        }
    }

    private bool IsStuck(int before, int after) => IsSamePlace(before, after)
        && _before.OperationOf(before) == _after.OperationOf(after)
        && _before.SuspensionOf(before) == _after.SuspensionOf(after)
        && _before.WaitOf(before) == _after.WaitOf(after)
        && IsSameClock(before, after);

    private bool IsSamePlace(int before, int after) => !_after.IsActive(after) && _before.KeyOf(before) == _after.KeyOf(after);

    // Without a clock nothing speaks against it.
    private bool IsSameClock(int before, int after) => _before.DueOf(before) is not { } was || _after.DueOf(after) is not { } due || Math.Abs(due - was) <= ClockStep;
}
