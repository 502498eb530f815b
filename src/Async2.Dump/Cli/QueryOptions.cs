using System.Collections.Immutable;
using System.CommandLine;
using Async2.Analysis.Query;

namespace Async2.Dump.Cli;

/// <summary>The options that say which stacks one wants to see: the rows of <see cref="QueryOptionTable"/> on a command line.</summary>
internal sealed class QueryOptions
{
    private readonly ImmutableArray<(QueryOption Row, Option Option)> _options =
        [.. QueryOptionTable.All.SelectMany(row => row.Aliases.Prepend(row.Option).Select(name => (row, Made(row, name))))];

    /// <summary>In the order of help.</summary>
    public IEnumerable<Option> All => _options.Select(option => option.Option);

    /// <summary>Says what the values are, which takes longer than to read most command lines: for help only.</summary>
    public void Describe()
    {
        foreach ((QueryOption row, Option option) in _options)
            option.Description = row.WholeHelp;
    }

    /// <summary>What they mean.</summary>
    /// <exception cref="QueryException">A value makes no sense.</exception>
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

    // Names of SOS, for those who come from there; help has the tool's own.
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
