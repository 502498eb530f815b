using System.CommandLine;
using Async2.Dump.Fleets;
using Async2.Dump.Terminals;

namespace Async2.Dump.Completions;

/// <summary>Writes commands and options as a page for man(1), in the macros of man(7).</summary>
/// <param name="writer">Where to.</param>
internal sealed class ManualPage(TextWriter writer)
{
    private const string Program = "dotnet-async2";

    private static readonly (string Code, string Meaning)[] Exits =
    [
        ("0", "the answer is complete"), ("1", "check found something"), ("2", "the command line is not valid"), ("3", "the target cannot be read"),
        ("4", "it was read, but the answer is incomplete; its last lines say what is missing"), ("130", "interrupted; the output has what was found until then"),
    ];

    private static readonly (string Name, string Meaning)[] Variables =
    [
        ("NO_COLOR", "if not empty: no colours"),
        (SourceLinks.Variable, "links in terminals: vscode, file, none, or an address with {path} and {line} in it"),
        (OtlpEndpoint.HeadersVariable, "headers that watch --otlp sends, NAME=VALUE, with commas between several"),
    ];

    /// <summary>Writes the page.</summary>
    public void Write(RootCommand root)
    {
        // Without a date: the same tool writes the same page.
        string version = typeof(ManualPage).Assembly.GetName().Version?.ToString(3) ?? "";
        writer.WriteLine($".TH DOTNET\\-ASYNC2 1 \"\" \"{Program} {version}\" \"User Commands\"");
        Heading("NAME", $"{Program} - logical async stacks of .NET processes and dumps");
        Heading("SYNOPSIS", null);
        writer.WriteLine($".B {Escape(Program)}\n.I TARGET\n[options]\n.br\n.B {Escape(Program)}\n.I COMMAND\n[arguments] [options]");
        Heading("DESCRIPTION", null);
        writer.WriteLine(".nf\n" + string.Join('\n', (root.Description ?? "").Split('\n').Select(Escape)) + "\n.fi");
        Heading("OPTIONS", null);
        HashSet<(string, string?)> known = [];
        Options(root, known);
        Heading("COMMANDS", "With the options above that fit, and these.");
        foreach (Command command in root.Subcommands)
            Commands(command, Program, known);
        List("EXIT STATUS", Exits);
        List("ENVIRONMENT", Variables);
    }

    // The deepest nesting is two: dump collect.
    private void Commands(Command command, string before, HashSet<(string, string?)> known)
    {
        if (command.Hidden)
            return;
        string name = $"{before} {command.Name}";
        foreach (Command inner in command.Subcommands)
            Commands(inner, name, known);
        if (command.Subcommands.Count > 0)
            return;
        writer.WriteLine($".SS \"{Escape(string.Join(' ', command.Arguments.Where(argument => !argument.Hidden).Select(Of).Prepend(name)))}\"");
        Text(command.Description);
        Options(command, [.. known]);
    }

    private static string Of(Argument argument)
        => (argument.Arity.MinimumNumberOfValues == 0 ? $"[{argument.Name}]" : argument.Name) + (argument.Arity.MaximumNumberOfValues > 1 ? "..." : "");

    private void Options(Command command, HashSet<(string, string?)> known)
    {
        foreach (Option option in command.Options.Where(option => !option.Hidden && known.Add((option.Name, option.Description))))
        {
            string value = option.HelpName is { } name ? $" \\fI{Escape(name)}\\fR" : option.Arity.MaximumNumberOfValues > 0 && option.ValueType != typeof(bool) ? " \\fI" + Escape(option.Name.TrimStart('-').ToUpperInvariant()) + "\\fR" : "";
            writer.WriteLine($".TP\n{string.Join(", ", option.Aliases.Where(alias => !alias.StartsWith('/')).Prepend(option.Name).Select(alias => $"\\fB{Escape(alias)}\\fR"))}{value}");
            Text(option.Description);
        }
    }

    private void List(string heading, (string Name, string Meaning)[] rows)
    {
        Heading(heading, null);
        foreach ((string name, string meaning) in rows)
        {
            writer.WriteLine($".TP\n.B {Escape(name)}");
            Text(meaning);
        }
    }

    private void Heading(string heading, string? text)
    {
        writer.WriteLine($".SH {heading}");
        if (text is not null)
            Text(text);
    }

    private void Text(string? text) => writer.WriteLine(Escape((text ?? "").ReplaceLineEndings(" ")));

    // A dot or an apostrophe at the beginning of a line would be a macro; a plain - a hyphen, which cannot be copied as an option.
    private static string Escape(string text)
    {
        string escaped = text.Replace("\\", "\\e", StringComparison.Ordinal).Replace("-", "\\-", StringComparison.Ordinal).Replace("\"", "\\(dq", StringComparison.Ordinal);
        return escaped is ['.' or '\'', ..] ? "\\&" + escaped : escaped;
    }
}
