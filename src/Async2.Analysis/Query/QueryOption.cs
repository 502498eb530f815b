using System.Collections.Immutable;

namespace Async2.Analysis.Query;

/// <summary>
/// A row of <see cref="QueryOptionTable"/>: one filter, limit or grouping, with everything that a host needs to offer it:
/// its names, the kind of its values, its help, how a value becomes part of a <see cref="StackQuery"/> and is printed
/// again, and what a stack has to match.
/// </summary>
public sealed class QueryOption
{
    private readonly Func<ImmutableArray<string>>? _words;
    private readonly Func<StackQuery, string, string, StackQuery> _apply;
    private readonly Func<StackQuery, IEnumerable<string>> _texts;
    private readonly Func<StackQuery, StackTests, IEnumerable<Predicate<int>>> _tests;

    internal QueryOption(
        Func<StackQuery, string, string, StackQuery> apply, Func<StackQuery, IEnumerable<string>> texts, Func<StackQuery, StackTests, IEnumerable<Predicate<int>>> tests, Func<ImmutableArray<string>>? words)
        => (_apply, _texts, _tests, _words) = (apply, texts, tests, words);

    /// <summary>Without hyphens or colon: <c>waiting-on</c>.</summary>
    public required string Name { get; init; }

    /// <summary>On a command line: <c>--waiting-on</c>.</summary>
    public string Option => "--" + Name;

    /// <summary>In a search: <c>waiting-on:</c>.</summary>
    public string SearchWord => Name + ":";

    /// <summary>Other names on a command line, <c>-mt</c>, from SOS; help of the tool does not list them.</summary>
    public ImmutableArray<string> Aliases { get; init; } = [];

    /// <summary>Older words of searches, <c>waiting:</c>. They work but are not listed.</summary>
    public ImmutableArray<string> SearchAliases { get; init; } = [];

    /// <summary>Kind of its values.</summary>
    public required QueryValueKind Kind { get; init; }

    /// <summary>Placeholder for the value in help: <c>REGEX</c>.</summary>
    public required string ValueName { get; init; }

    /// <summary>A sentence without its full stop: <c>Only stacks with a frame of this module</c>.</summary>
    public required string Help { get; init; }

    /// <summary>An example of a value.</summary>
    public required string Example { get; init; }

    /// <summary>It selects stacks; the others say how many are shown and in which order.</summary>
    public bool IsFilter { get; init; } = true;

    /// <summary>It may be repeated: each value counts.</summary>
    public bool Repeats { get; init; }

    /// <summary>All allowed words; empty unless its values are words.</summary>
    public ImmutableArray<string> Words => _words?.Invoke() ?? [];

    /// <summary>The help with the allowed words.</summary>
    public string WholeHelp => (Words, Repeats) switch
    {
        ({ IsEmpty: false } words, _) => $"{Help}: {string.Join(", ", words)}",
        (_, true) => Help + "; may be repeated",
        _ => Help,
    };

    /// <summary>Adds a value to a query.</summary>
    /// <param name="query">The query so far.</param>
    /// <param name="given">The name under which it was given, for the message: <c>--thread</c>, <c>thread:</c>.</param>
    /// <param name="text">The value as typed.</param>
    /// <exception cref="QueryException">It is not valid.</exception>
    public StackQuery Apply(StackQuery query, string given, string text) => _apply(query, given, text);

    /// <summary>A query's values of this option, as text that can be typed again; empty for none.</summary>
    public IEnumerable<string> Texts(StackQuery query) => _texts(query);

    /// <summary>What a stack of a model has to match for each value in a query.</summary>
    internal IEnumerable<Predicate<int>> TestsOf(StackQuery query, StackTests stacks) => _tests(query, stacks);
}
