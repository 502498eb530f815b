using System.Collections.Immutable;
using System.Globalization;
using Async2.Analysis.Model;

namespace Async2.Analysis.Query;

/// <summary>
/// A search typed in one line: words that all have to match. <c>method:Pay</c> is the option <c>--method Pay</c>, and so
/// on for each filter; a word without a colon is searched in methods, files and what is waited for; <c>s12</c> is the stack with that id.
/// </summary>
public sealed record StackSearch
{
    /// <summary>The filters.</summary>
    public StackQuery Query { get; init; } = new();

    /// <summary>Each of these matches some frame, or what the stack waits for.</summary>
    public ImmutableArray<TextPattern> Anywhere { get; init; } = [];

    /// <summary>Numbers of requested stacks; empty for any.</summary>
    public ImmutableHashSet<int> Stacks { get; init; } = [];

    /// <summary>Parses a search; an empty one matches all stacks.</summary>
    /// <exception cref="QueryException">It is not valid.</exception>
    public static StackSearch Parse(string text)
    {
        var search = new StackSearch();
        foreach (QueryWord word in QueryWord.Split(text))
        {
            if (word.Name is { } name)
                search = search with { Query = FilterOf(name + ":").Apply(search.Query, name + ":", word.Value) };
            else if (StackIn(word.Value) is { } stack)
                search = search with { Stacks = search.Stacks.Add(stack) };
            else
                search = search with { Anywhere = search.Anywhere.Add(TextPattern.Parse("a query", word.Value)) };
        }
        return search;
    }

    /// <summary>Searches the stacks of an answer. A group of equal stacks is found if one of them matches.</summary>
    /// <param name="model">The model of the answer.</param>
    /// <param name="view">The answer.</param>
    /// <param name="includeFramework">The answer shows framework frames.</param>
    /// <param name="cancellation">Stops the search.</param>
    /// <returns>Indexes of stacks of the answer, in its order.</returns>
    /// <exception cref="QueryException">A pattern takes too long.</exception>
    public ImmutableArray<int> In(AsyncModel model, StackView view, bool includeFramework, CancellationToken cancellation = default)
    {
        var matcher = new StackMatcher(model, Query, includeFramework, Anywhere);
        var found = ImmutableArray.CreateBuilder<int>();
        for (int i = 0; i < view.Stacks.Length; i++)
        {
            cancellation.ThrowIfCancellationRequested();
            if ((Stacks.IsEmpty || Stacks.Contains(i + 1)) && view.Stacks[i].Members.Any(matcher.Matches))
                found.Add(i);
        }
        return found.DrainToImmutable();
    }

    private static QueryOption FilterOf(string word)
        => QueryOptionTable.Filters.FirstOrDefault(option => option.SearchWord == word || option.SearchAliases.Contains(word))
            ?? throw new QueryException($"there is no word '{word}' in queries", $"type one of {string.Join(", ", QueryOptionTable.Filters.Select(option => option.SearchWord))}, or a word alone");

    // "s12", with or without the word "stack" before it.
    private static int? StackIn(string word)
        => word is ['s', .. string digits] && int.TryParse(digits, NumberStyles.None, CultureInfo.InvariantCulture, out int number) ? number : null;
}
