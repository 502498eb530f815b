using System.CommandLine;
using System.CommandLine.Completions;
using System.CommandLine.Invocation;
using System.Globalization;
using Async2.Analysis.Analyses;
using Async2.Analysis.Query;
using Async2.Analysis.Targets.Processes;

namespace Async2.Dump.Completions;

/// <summary>
/// What could come next on a command line, for shells: <c>dotnet-async2 "[suggest:20]" "dotnet-async2 analyze "</c>, as dotnet-suggest asks, too. The parser knows commands, options and
/// most values; rules and processes are added here, and what only makes the list long is left out.
/// </summary>
internal static class Suggestions
{
    private const string Name = "suggest";

    private static readonly string[] OfRules = ["--fail-on", "--on-finding", "--explain", "--finding"];
    private static readonly string[] OfProcesses = ["TARGET", "PID", "PROCESS", "A", "B"];

    /// <summary>Has a command line answer to the directive.</summary>
    public static void AddTo(RootCommand root)
    {
        root.Directives.Clear();
        var directive = new Directive(Name);
        directive.Action = new SuggestAction(root, directive);
        root.Directives.Add(directive);
    }

    private static IEnumerable<string> Of(RootCommand root, string before)
    {
        string typed = before[(before.LastIndexOf(' ') + 1)..];
        // --format=pp is one word for a shell, and two for the parser.
        int equals = typed.StartsWith("--", StringComparison.Ordinal) ? typed.IndexOf('=') : -1;
        string prefix = typed[..(equals + 1)], value = typed[(equals + 1)..];
        string line = equals < 0 ? before : $"{before[..^typed.Length]}{prefix[..^1]} {value}";
        Inform(root);
        try
        {
            return [.. root.Parse(line).GetCompletions(line.Length).Select(item => item.Label).Where(word => Fits(word, value)).Select(word => prefix + word)];
        }
        catch (InvalidOperationException)
        {
            // The parser's, for a quotation mark without an end.
            return [];
        }
    }

    private static void Inform(Command command)
    {
        foreach (Option option in command.Options)
        {
            if (OfRules.Contains(option.Name))
                option.CompletionSources.Add(_ => FindingRules.All.Select(rule => new CompletionItem(rule)));
            else if (QueryOptionTable.All.FirstOrDefault(row => row.Option == option.Name) is { Words.IsEmpty: false } row)
                option.CompletionSources.Add(_ => row.Words.Select(word => new CompletionItem(word)));
        }
        foreach (Argument argument in command.Arguments.Where(argument => OfProcesses.Contains(argument.Name)))
            argument.CompletionSources.Add(_ => Processes());
        foreach (Command inner in command.Subcommands)
            Inform(inner);
    }

    // By name where that is enough, and where no shell takes a part of it for something else: other users choose the names of their processes.
    private static IEnumerable<CompletionItem> Processes()
    {
        RunningProcess[] all = [.. ProcessList.All()];
        return all.GroupBy(process => process.Name).Where(name => name.Count() == 1 && IsPlain(name.Key)).Select(name => name.Key)
            .Concat(all.Select(process => process.Pid.ToString(CultureInfo.InvariantCulture))).Select(word => new CompletionItem(word));
    }

    private static bool IsPlain(string name) => name.Length > 0 && name[0] != '-' && name.All(letter => char.IsLetterOrDigit(letter) || letter is '.' or '_' or '-' or '+');

    // Options where one was begun; their short forms and Windows' are known to those who type them.
    private static bool Fits(string word, string typed) => typed.StartsWith('-') ? word.StartsWith("--", StringComparison.Ordinal) : !word.StartsWith('-') && !word.StartsWith('/');

    private sealed class SuggestAction(RootCommand root, Directive directive) : SynchronousCommandLineAction
    {
        public override int Invoke(ParseResult parseResult)
        {
            string line = parseResult.Tokens.LastOrDefault(token => token.Type != System.CommandLine.Parsing.TokenType.Directive)?.Value ?? "";
            int position = parseResult.GetResult(directive)?.Values is [var text, ..] && int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out int number) ? Math.Min(number, line.Length) : line.Length;
            foreach (string word in Of(root, line[..position]))
                parseResult.InvocationConfiguration.Output.WriteLine(word);
            return 0;
        }
    }
}
