
namespace Async2.Analysis.Families.Tasklets;

/// <summary>Where chains begin that are in the list of live tasklets and that nothing on the heap leads to.</summary>
internal sealed class Orphans(TaskletReader reader, Predicate<ulong> isKnown)
{
    /// <summary>Their innermost tasklets, in the order of the list.</summary>
    /// <param name="live">The list.</param>
    public IEnumerable<ulong> Begin(IReadOnlyList<ulong> live)
    {
        var left = new List<ulong>();
        foreach (ulong tasklet in live)
        {
            if (!isKnown(tasklet))
                left.Add(tasklet);
        }
        return reader.Layout.List == TaskletList.All ? NotCalled(left) : Inwards(left);
    }

    // All frames are in the list: the innermost ones are not the caller of any other.
    private List<ulong> NotCalled(List<ulong> all)
    {
        var callers = new AddressSet();
        foreach (ulong tasklet in all)
        {
            if (reader.TryRead(tasklet, out TaskletRow row) && row.Next != 0)
                callers.Add(row.Next);
        }
        return all.FindAll(tasklet => !callers.Contains(tasklet));
    }

    // The outermost frames are in the list. A link that was lost, or that is invalid, leaves the callers.
    private IEnumerable<ulong> Inwards(List<ulong> roots)
    {
        foreach (ulong root in roots)
        {
            var met = new AddressSet();
            ulong at = root;
            while (met.Add(at) && reader.TryRead(at, out TaskletRow row) && row.Prev != 0 && !isKnown(row.Prev)
                && reader.TryRead(row.Prev, out TaskletRow callee) && callee.Next == at)
                at = row.Prev;
            yield return at;
        }
    }
}
