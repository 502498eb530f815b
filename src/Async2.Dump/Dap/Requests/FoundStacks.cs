using Async2.Analysis.Query.Answers;
using Async2.Analysis.Query;

namespace Async2.Dump.Dap.Requests;

/// <summary>Which stacks of an answer a search means.</summary>
internal static class FoundStacks
{
    /// <summary>Their threads, in the order of the answer.</summary>
    /// <exception cref="QueryException">A pattern takes too long.</exception>
    public static IReadOnlyList<int> Of(StackView snapshot, StackSearch search, CancellationToken cancellation)
    {
        var filter = new StackFilter(search.Query, search.Anywhere);
        var found = new List<int>();
        for (int i = 0; i < snapshot.Stacks.Length; i++)
        {
            cancellation.ThrowIfCancellationRequested();
            if ((search.Stacks.IsEmpty || search.Stacks.Contains(i + 1)) && filter.Matches(snapshot.Stacks[i]))
                found.Add(i + 1);
        }
        return found;
    }
}
