using System.Collections.Immutable;
using Async2.Analysis.Query;
using Async2.Dump.Dap.Requests;
using Async2.Tests.House;
using Async2.Tests.Support;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Query;

/// <summary>
/// Each row of the table is offered by each host, under its name and with its help. Hosts that read the table have it by themselves;
/// the files of the others, and the pages, are made from it, and are fresh.
/// </summary>
public sealed class QueryTableTests
{
    private static readonly ImmutableArray<QueryOption> Rows = QueryOptionTable.All;
    private static readonly QueryOption[] Filters = [.. QueryOptionTable.Filters];

    [Fact]
    public void The_command_line_has_every_row()
        => Rule.Holds(Rows.Where(row => !ToolHelp.Root.Options.Contains(row.Option)).Select(row => $"dotnet-async2 has no {row.Option}"));

    [Fact]
    public void Help_has_the_sentence_of_every_row()
    {
        string help = ToolRun.Of("--help").Output;
        Rule.Holds(Rows.Where(row => !help.Contains($"{row.Option} <{row.ValueName}>", StringComparison.Ordinal) || !help.Contains($"  {row.WholeHelp}\n", StringComparison.Ordinal))
            .Select(row => $"--help does not say what {row.Option} does"));
    }

    [Fact]
    public void Searches_of_debug_adapters_complete_every_filter()
        => Assert.Equal(Filters.Select(row => row.SearchWord), QueryCompletions.At("", 0).Words.Where(word => word.EndsWith(':')));

    [Fact]
    public void Words_of_values_are_completed()
        => Assert.All(Filters.Where(row => !row.Words.IsEmpty), row => Assert.Equal(row.Words, QueryCompletions.At(row.SearchWord, row.SearchWord.Length).Words));

    [Fact]
    public void Searches_read_every_filter_and_its_older_words() => Assert.All(Filters, row => Assert.All(
        row.SearchAliases.Prepend(row.SearchWord), word => Assert.Equal([row.Example], row.Texts(StackSearch.Parse(word + row.Example).Query))));

    [Fact]
    public void Values_are_printed_so_that_they_can_be_typed_again() => Assert.All(Rows, row =>
    {
        StackQuery query = row.Apply(new StackQuery(), row.Option, row.Example);
        Assert.Equal([row.Example], row.Texts(query));
        Assert.Equal(row.IsFilter, query.IsFilter);
        Assert.Equal(row.IsFilter ? $"{row.Option} {row.Example}" : "", query.FilterText);
        Assert.Equal(query, row.Apply(new StackQuery(), row.SearchWord, row.Example));
        Assert.NotEqual(query, new StackQuery());
    });

    [Fact]
    public void Names_are_distinguished()
        => Assert.Distinct(Rows.SelectMany(row => (IEnumerable<string>)[row.Option, .. row.Aliases, row.SearchWord, .. row.SearchAliases]));

    [Fact]
    public void The_command_of_SOS_has_every_row_and_is_fresh()
    {
        Approved.CheckGenerated(Repository.PathOf("src", "Sos.Plugin", "DumpAsync2Command.Query.cs"), QueryHostFiles.SosCommand(Rows));
        Rule.Holds(Rows.Where(row => SosOption.All.All(option => option.Name != row.Option)).Select(row => $"dumpasync2 has no {row.Option}"));
    }

    [Fact]
    public void The_script_of_lldb_has_every_row_and_is_fresh()
        => Approved.CheckGenerated(Repository.PathOf("src", "lldb", "async2_query.py"), QueryHostFiles.Lldb(Rows, SosOption.All));

    [Fact]
    public void The_search_of_the_viewer_has_every_filter_and_is_fresh()
        => Approved.CheckGenerated(Repository.PathOf("src", "vscode-ext", "viewer", "model", "queryOptions.ts"), QueryHostFiles.Viewer(Filters));

    [Fact]
    public void Docs_have_every_row_and_are_fresh()
    {
        PagePart.Check("README.md", "query options", QueryHostFiles.ToolTable(Rows));
        PagePart.Check("docs/dap.md", "search words", QueryHostFiles.SearchTable(Filters));
        PagePart.Check("docs/sos.md", "options of dumpasync2", QueryHostFiles.SosTable(Rows, SosOption.All));
    }

    [Fact]
    public void A_row_missing_in_a_file_is_found()
    {
        QueryOption[] less = [.. Rows.Where(row => row.Name != "without")];
        Assert.NotEqual(QueryHostFiles.SosCommand(Rows), QueryHostFiles.SosCommand(less));
        Assert.NotEqual(QueryHostFiles.Lldb(Rows, SosOption.All), QueryHostFiles.Lldb(less, SosOption.All));
        Assert.NotEqual(QueryHostFiles.Viewer(Filters), QueryHostFiles.Viewer([.. less.Where(row => row.IsFilter)]));
        Assert.NotEqual(QueryHostFiles.ToolTable(Rows), QueryHostFiles.ToolTable(less));
        Assert.NotEqual(QueryHostFiles.SearchTable(Filters), QueryHostFiles.SearchTable(less));
    }
}
