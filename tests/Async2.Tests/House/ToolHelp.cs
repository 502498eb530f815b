using System.Text.RegularExpressions;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.House;

/// <summary>What the built tool says about one of its commands: options and commands below it.</summary>
internal sealed partial class ToolHelp
{
    private static readonly Dictionary<string, ToolHelp> Known = [];

    private ToolHelp(string[] path)
    {
        string help = ToolRun.Of([.. path, "--help"]).Output;
        Options = [.. OptionPattern().Matches(help.Split("\nOptions:")[^1]).Select(option => option.Value)];
        string[] parts = help.Split("\nCommands:");
        Commands = parts.Length < 2 ? [] : [.. CommandPattern().Matches(parts[1]).Select(command => command.Groups[1].Value)];
    }

    public HashSet<string> Options { get; }

    public IReadOnlyList<string> Commands { get; }

    public static ToolHelp Root => Of([]);

    public static ToolHelp Of(string[] path)
    {
        string key = string.Join(' ', path);
        if (!Known.TryGetValue(key, out ToolHelp? help))
            Known[key] = help = new ToolHelp(path);
        return help;
    }

    /// <summary>What is wrong with a command line as documentation has it, <c>dump collect PID -o FILE</c>; null if nothing is.</summary>
    public static string? Complaint(string arguments)
    {
        string[] words = arguments.Split(' ', StringSplitOptions.RemoveEmptyEntries);
        string[] path = [];
        foreach (string word in words.TakeWhile(word => Of(path).Commands.Contains(word)))
            path = [.. path, word];
        if (path.Length < words.Length && NamePattern().IsMatch(words[path.Length]))
            return $"there is no command {string.Join(' ', words[..(path.Length + 1)])}";
        return words.FirstOrDefault(word => word.StartsWith('-') && !Of(path).Options.Contains(word)) is { } unknown
            ? $"{(path.Length == 0 ? "the tool" : string.Join(' ', path))} has no option {unknown}"
            : null;
    }

    [GeneratedRegex(@"(?<=^  |, )--?[\w?-]+", RegexOptions.Multiline)]
    private static partial Regex OptionPattern();

    [GeneratedRegex(@"^  ([\w-]+)", RegexOptions.Multiline)]
    private static partial Regex CommandPattern();

    // A file has a dot, a placeholder is in capitals.
    [GeneratedRegex("^[a-z][a-z0-9-]*$")]
    private static partial Regex NamePattern();
}
