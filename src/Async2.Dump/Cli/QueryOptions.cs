using System.Collections.Immutable;
using System.CommandLine;
using Async2.Analysis.Query;

namespace Async2.Dump.Cli;

/// <summary>The options that select stacks: the rows of <see cref="QueryOptionTable"/> on a command line.</summary>
internal sealed class QueryOptions
{
    private readonly ImmutableArray<(QueryOption Row, Option Option)> _options =
        [.. QueryOptionTable.All.SelectMany(row => row.Aliases.Prepend(row.Option).Select(name => (row, Made(row, name))))];

    /// <summary>In help order.</summary>
    public IEnumerable<Option> All => _options.Select(option => option.Option);

    /// <summary>Adds the allowed values to the help. It takes longer than parsing most command lines, so only help does it.</summary>
    public void Describe()
    {
        foreach ((QueryOption row, Option option) in _options)
            option.Description = row.WholeHelp;
    }

    /// <summary>The query that the options define.</summary>
    /// <exception cref="QueryException">A value is not valid.</exception>
    public StackQuery Read(ParseResult parsed)
    {
        var query = new StackQuery();
        foreach ((QueryOption row, Option option) in _options)
        {
            foreach (string text in Values(parsed, option))
                query = row.Apply(query, option.Name, text);
        }
        return query;
    }

    // SOS's names, for its users; help lists the tool's own.
    private static Option Made(QueryOption row, string name) => row.Repeats
        ? new Option<string[]>(name) { HelpName = row.ValueName, Hidden = name != row.Option, DefaultValueFactory = _ => [] }
        : new Option<string?>(name) { HelpName = row.ValueName, Hidden = name != row.Option };

    private static string[] Values(ParseResult parsed, Option option) => option switch
    {
        Option<string[]> list => parsed.GetRequiredValue(list),
        Option<string?> one when parsed.GetValue(one) is { } text => [text],
        _ => [],
    };
}
