using Async2.Analysis.Model;
using Async2.Analysis.Targets.Contract;
using Async2.Analysis.Targets.Memory;

namespace Async2.Analysis.Families.Tasklets;

/// <summary>
/// The runtime's own list of live tasklets, which is circular and begins at a sentinel: a way to them without the heap, and the only
/// way to those that no object owns.
/// </summary>
internal sealed class LiveList(TargetMemory memory, TaskletReader reader, ProblemLog problems)
{
    // The design document's benchmark has a million; more is taken for garbage.
    private const int Limit = 50_000_000;

    /// <summary>The list could be read to its end.</summary>
    public bool IsWhole { get; private set; } = true;

    /// <summary>All tasklets in it, in its order; as far as it makes sense.</summary>
    public List<ulong> Read()
    {
        var found = new List<ulong>();
        ulong variable = reader.Layout.Sentinel;
        if (variable == 0 || reader.Layout.NextInList < 0)
            return found;
        if (!memory.TryReadPointer(variable, out ulong sentinel))
        {
            // Small dumps leave the variables of modules out. Stacks come from the heap, too.
            problems.Add(ProblemCodes.TaskletList, "the runtime's list of tasklets is not in the dump: stacks without an owner on the heap, if there are any, are not shown", variable);
            return found;
        }
        if (!reader.TryRead(sentinel, out TaskletRow row))
        {
            Break("sentinel", sentinel == 0 ? "the list of tasklets has no beginning" : "the beginning of the list of tasklets is not in memory", variable);
            return found;
        }
        var met = new AddressSet();
        ulong last = sentinel;
        for (ulong at = row.NextInList; at != sentinel; at = row.NextInList)
        {
            if (found.Count >= Limit || !met.Add(at) || !reader.TryRead(at, out row))
            {
                Break("list-link", FormattableString.Invariant($"the list of tasklets leads to 0x{at:x}, which is not readable; the rest of the list is missing"), last);
                break;
            }
            found.Add(at);
            last = at;
        }
        return found;
    }

    private void Break(string rule, string text, ulong address)
    {
        IsWhole = false;
        problems.Add(ProblemCodes.TaskletUnsound, $"a tasklet breaks the rule {rule}: {text}", address);
    }
}
