using System.Collections.Immutable;
using Async2.Analysis.Query;
using Async2.Dump.Dap.Session;

namespace Async2.Dump.Dap.Requests;

/// <summary>Completions of a partial query.</summary>
internal static class QueryCompletions
{
    private static readonly ImmutableArray<string> Words = [.. QueryOptionTable.Filters.Select(option => option.SearchWord), "stack", "help"];

    /// <returns>Where the replaced word begins, and the possible replacements.</returns>
    public static (int Start, IReadOnlyList<string> Words) At(string text, int column)
    {
        string before = text[..column];
        int start = before.LastIndexOf(' ') + 1;
        if (start == 0 && before.StartsWith(QueryRequests.Prefix, StringComparison.Ordinal))
            start = QueryRequests.Prefix.Length;
        else if (start == 0 && before.StartsWith('$'))
            return (0, Beginning(StackFacts.Names, before));
        string word = before[start..];
        if (QueryOptionTable.Filters.FirstOrDefault(option => word.StartsWith(option.SearchWord, StringComparison.Ordinal)) is not { Words: { IsEmpty: false } values } filter)
            return (start, Beginning(Words, word));
        start = Math.Max(before.LastIndexOf(','), start + filter.SearchWord.Length - 1) + 1;
        return (start, Beginning(values, before[start..]));
    }

    private static string[] Beginning(IEnumerable<string> words, string typed)
        => [.. words.Where(word => word.StartsWith(typed, StringComparison.OrdinalIgnoreCase) && word.Length > typed.Length)];
}
