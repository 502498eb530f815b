using System.Collections.Immutable;

namespace Async2.Analysis.Query;

/// <summary>
/// A row of <see cref="QueryOptionTable"/>: one filter, limit or grouping. All that a host needs to offer it is here, and no host
/// adds to it: its names, what its values are, its help, how a value becomes part of a <see cref="StackQuery"/> and is printed
/// again, and what a stack has to pass.
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

    /// <summary>As a command line has it: <c>--waiting-on</c>.</summary>
    public string Option => "--" + Name;

    /// <summary>As a search has it: <c>waiting-on:</c>.</summary>
    public string SearchWord => Name + ":";

    /// <summary>Other names on a command line, <c>-mt</c>. SOS has had them for long; help of the tool leaves them out.</summary>
    public ImmutableArray<string> Aliases { get; init; } = [];

    /// <summary>Older words of searches, <c>waiting:</c>. They are understood and not shown.</summary>
    public ImmutableArray<string> SearchAliases { get; init; } = [];

    /// <summary>What may be typed as its value.</summary>
    public required QueryValueKind Kind { get; init; }

    /// <summary>What stands for the value in help: <c>REGEX</c>.</summary>
    public required string ValueName { get; init; }

    /// <summary>A sentence without its full stop: <c>Only stacks with a frame of this module</c>.</summary>
    public required string Help { get; init; }

    /// <summary>A value as somebody types it.</summary>
    public required string Example { get; init; }

    /// <summary>It chooses stacks; the others say how many are shown and in which order.</summary>
    public bool IsFilter { get; init; } = true;

    /// <summary>It may be given more than once: each value counts.</summary>
    public bool Repeats { get; init; }

    /// <summary>All words that it knows; empty unless its values are words. Made when it is asked for.</summary>
    public ImmutableArray<string> Words => _words?.Invoke() ?? [];

    /// <summary>The sentence, with the words that may be typed.</summary>
    public string WholeHelp => (Words, Repeats) switch
    {
        ({ IsEmpty: false } words, _) => $"{Help}: {string.Join(", ", words)}",
        (_, true) => Help + "; may be repeated",
        _ => Help,
    };

    /// <summary>Adds a value to a query.</summary>
    /// <param name="query">So far.</param>
    /// <param name="given">The name under which it was given, for the message: <c>--thread</c>, <c>thread:</c>.</param>
    /// <param name="text">As it was typed.</param>
    /// <exception cref="QueryException">It makes no sense.</exception>
    public StackQuery Apply(StackQuery query, string given, string text) => _apply(query, given, text);

    /// <summary>The values that a query has of it, so that they can be typed again; empty for none.</summary>
    public IEnumerable<string> Texts(StackQuery query) => _texts(query);

    /// <summary>What a stack of a model has to pass for each value that a query has of it.</summary>
    internal IEnumerable<Predicate<int>> TestsOf(StackQuery query, StackTests stacks) => _tests(query, stacks);
}
