using System.Text;
using Async2.Analysis.Query;
using Async2.Tests.Support;

namespace Async2.Tests.Query;

/// <summary>What hosts that cannot read <see cref="QueryOptionTable"/> themselves get of it: files, and parts of pages.</summary>
internal static class QueryHostFiles
{
    private const int PythonNames = 25, PythonWidth = 79;

    /// <summary>Options as the hosts of SOS want them: properties of the command's class.</summary>
    public static string SosCommand(IReadOnlyList<QueryOption> rows) => $$"""
        // Made from QueryOptionTable by the tests: "npm run accept" writes it again.
        using Microsoft.Diagnostics.DebugServices;

        namespace Async2.Sos;

        /// <summary>The options that choose stacks. Each is as it was typed: hosts have no types for their values.</summary>
        public sealed partial class DumpAsync2Command
        {
            // What stands for their values in help, which has to work without the library, too.
            internal static readonly (string Option, string Value)[] Values =
            [
        {{string.Concat(rows.Select(row => $"        (\"{row.Option}\", \"{row.ValueName}\"),\n"))}}    ];

        {{string.Join('\n', rows.Select(SosProperty))}}
            private IEnumerable<(string Option, string Text)> Typed
                => new (string, string?[]?)[]
                {
        {{string.Concat(rows.Select(row => $"            (\"{row.Option}\", {(row.Repeats ? Pascal(row.Name) : $"[{Pascal(row.Name)}]")}),\n"))}}        }.SelectMany(option => option.Item2?.OfType<string>().Select(text => (option.Item1, text)) ?? []);
        }

        """;

    private static string SosProperty(QueryOption row)
    {
        string aliases = row.Aliases.IsEmpty ? "" : $"Aliases = [{string.Join(", ", row.Aliases.Select(alias => $"\"{alias}\""))}], ";
        return $"    [Option(Name = \"{row.Option}\", {aliases}Help = \"{row.WholeHelp}.\")]\n    public {(row.Repeats ? "string[]" : "string")}? {Pascal(row.Name)} {{ get; set; }}\n";
    }

    private static string Pascal(string name) => string.Concat(name.Split('-').Select(part => char.ToUpperInvariant(part[0]) + part[1..]));

    /// <summary>For the script of lldb: which options have a value, SOS's names for them, and help.</summary>
    public static string Lldb(IReadOnlyList<QueryOption> rows, IEnumerable<SosOption> options)
    {
        var text = new StringBuilder("\"\"\"The options that choose stacks, and those of SOS. Made from QueryOptionTable by the tests of the repository: \"npm run accept\" writes it again.\"\"\"\n\n");
        text.Append("# Each has a value.\nVALUES = frozenset({\n").Append(Lines(rows.Select(row => $"    \"{row.Option}\",\n"))).Append("})\n\n");
        text.Append("# SOS's names for the same.\nALIASES = {\n").Append(Lines(rows.SelectMany(row => row.Aliases.Select(alias => $"    \"{alias}\": \"{row.Option}\",\n")))).Append("}\n\n");
        text.Append("QUERY_HELP = \"\"\"").Append(Lines(rows.Select(row => PythonHelp(string.Join(", ", [row.Option, .. row.Aliases]) + " " + row.ValueName, row.WholeHelp)))).Append("\"\"\"\n\n");
        // The script has words of its own for what it does otherwise, or not at all.
        IEnumerable<SosOption> others = options.Where(option => rows.All(row => row.Option != option.Name) && option.Name is not ("--coalesce" or "--stats" or "--help"));
        text.Append("SOS_HELP = \"\"\"").Append(Lines(others.Select(option => PythonHelp(string.Join(", ", [option.Name, .. option.Aliases]), option.Help)))).Append("\"\"\"\n");
        return text.ToString();
    }

    private static string Lines(IEnumerable<string> lines) => string.Concat(lines);

    private static string PythonHelp(string names, string help)
    {
        var text = new StringBuilder("  " + names.PadRight(PythonNames - 3));
        int column = text.Length;
        if (column > PythonNames - 1)
        {
            text.Append('\n').Append(' ', PythonNames - 1);
            column = PythonNames - 1;
        }
        foreach (string word in help.Split(' '))
        {
            if (column + 1 + word.Length > PythonWidth)
            {
                text.Append('\n').Append(' ', PythonNames - 1);
                column = PythonNames - 1;
            }
            text.Append(' ').Append(word);
            column += 1 + word.Length;
        }
        return text.Append('\n').ToString();
    }

    /// <summary>For the search of the viewer.</summary>
    public static string Viewer(IReadOnlyList<QueryOption> rows) => $$"""
        // Made from QueryOptionTable by the tests: "npm run accept" writes it again.

        export type QueryName = {{string.Join(" | ", rows.Select(row => $"'{row.Name}'"))}};

        export interface QueryOption {
          readonly name: QueryName;
          readonly aliases: readonly string[];
          readonly kind: 'pattern' | 'name' | 'address' | 'number' | 'duration' | 'words';
          readonly words: readonly string[];
          readonly help: string;
        }

        export const queryOptions: readonly QueryOption[] = [
        {{string.Concat(rows.Select(row => $"  {{ name: '{row.Name}', aliases: [{Quoted(row.SearchAliases.Select(alias => alias.TrimEnd(':')))}], kind: '{QueryValue.WordOf(row.Kind)}', words: [{Quoted(row.Words)}], help: {Literal(row.Help)} }},\n"))}}];

        """;

    private static string Quoted(IEnumerable<string> texts) => string.Join(", ", texts.Select(text => $"'{text}'"));

    private static string Literal(string text) => text.Contains('\'', StringComparison.Ordinal) ? $"\"{text}\"" : $"'{text}'";

    /// <summary>For README: options of the tool.</summary>
    public static string ToolTable(IEnumerable<QueryOption> rows)
        => "| option | does |\n|---|---|\n" + Lines(rows.Select(row => $"| `{row.Option} {row.ValueName}` | {Cell(row.WholeHelp)} |\n"));

    /// <summary>For the page about searches.</summary>
    public static string SearchTable(IEnumerable<QueryOption> rows)
        => "| word | does |\n|---|---|\n" + Lines(rows.Select(row => $"| `{row.SearchWord}{row.Example}` | {Cell(row.WholeHelp)} |\n"));

    /// <summary>For the page about SOS.</summary>
    public static string SosTable(IReadOnlyList<QueryOption> rows, IEnumerable<SosOption> options)
        => "| option | does |\n|---|---|\n" + Lines(options.Select(option => $"| {string.Join(", ", [$"`{option.Name}{ValueOf(rows, option.Name)}`", .. option.Aliases.Select(alias => $"`{alias}`")])} | {Cell(option.Help)} |\n"));

    private static string ValueOf(IReadOnlyList<QueryOption> rows, string name) => rows.FirstOrDefault(row => row.Option == name) is { } row ? " " + row.ValueName : "";

    // An option that stands in a sentence is code.
    private static string Cell(string help) => string.Join(' ', help.Split(' ').Select(word => word.StartsWith("--", StringComparison.Ordinal) ? $"`{word}`" : word));
}
