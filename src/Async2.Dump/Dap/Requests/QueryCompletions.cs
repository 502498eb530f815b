using System.Collections.Immutable;
using Async2.Analysis.Model;
using Async2.Analysis.Query;

namespace Async2.Dump.Dap.Requests;

/// <summary>How a half-typed query can go on.</summary>
internal static class QueryCompletions
{
    private const string StateFilter = "state:";

    private static readonly ImmutableArray<string> Words = [.. StackSearch.Filters.Select(filter => filter.Name + ":"), "stack", "help"];

    /// <returns>Where the word begins that is replaced, and by what it can be.</returns>
    public static (int Start, IReadOnlyList<string> Words) At(string text, int column)
    {
        string before = text[..column];
        int start = before.LastIndexOf(' ') + 1;
        if (!before.AsSpan(start).StartsWith(StateFilter, StringComparison.Ordinal))
            return (start, Beginning(Words, before[start..]));
        start = Math.Max(before.LastIndexOf(','), start + StateFilter.Length - 1) + 1;
        return (start, Beginning(QueryValue.Words<StackState>(), before[start..]));
    }

    private static string[] Beginning(IEnumerable<string> words, string typed)
        => [.. words.Where(word => word.StartsWith(typed, StringComparison.OrdinalIgnoreCase) && word.Length > typed.Length)];
}
