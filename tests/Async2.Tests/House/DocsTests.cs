using System.Reflection;
using System.Text.RegularExpressions;
using Async2.Analysis.Model;
using Async2.Tests.Support;

namespace Async2.Tests.House;

/// <summary>Documentation that is wrong is worse than none: what it names has to exist.</summary>
public sealed partial class DocsTests
{
    /// <summary>Options of other programs that the pages name alone.</summary>
    private static readonly string[] ForeignOptions = ["--tasks", "--global", "--tool-path", "--enable-dynamic-extensions", "--hangdump-timeout", "--blame-hang-timeout"];

    [Fact]
    public void Every_problem_code_has_its_row()
    {
        string[] known = [.. typeof(ProblemCodes).GetFields(BindingFlags.Public | BindingFlags.Static).Select(field => (string)field.GetRawConstantValue()!)];
        string[] documented = [.. CodeRow().Matches(MarkdownFile.Of("docs", "problems.md").Text).Select(row => row.Groups[1].Value)];
        Assert.NotEmpty(known);
        Assert.Equal(known.Order(StringComparer.Ordinal), documented.Order(StringComparer.Ordinal));
    }

    [Fact]
    public void Problem_codes_in_the_docs_exist()
    {
        string known = MarkdownFile.Of("docs", "problems.md").Text;
        Rule.Holds(MarkdownFile.All.SelectMany(page => Code().Matches(page.Text)
            .Where(code => !known.Contains($"| {code.Value} |", StringComparison.Ordinal))
            .Select(code => $"{page.Name}: there is no {code.Value}")));
    }

    [Fact]
    public void Links_lead_somewhere()
        => Rule.Holds(MarkdownFile.All.SelectMany(page => page.LocalLinks.Where(link => !Leads(page, link)).Select(link => $"{page.Name}: {link}")));

    [Fact]
    public void Commands_in_the_docs_exist_with_their_options() => Rule.Holds(MarkdownFile.All.SelectMany(page => page.Spans.Concat(page.BlockLines)
        .Select(text => ToolCall().Match(text))
        .Where(call => call.Success)
        .Select(call => ToolHelp.Complaint(call.Groups[1].Value))
        .OfType<string>()
        .Select(complaint => $"{page.Name}: {complaint}")));

    [Fact]
    public void Options_without_a_command_exist() => Rule.Holds(MarkdownFile.All.SelectMany(page => page.Spans
        .Where(span => span.StartsWith("--", StringComparison.Ordinal))
        .Select(span => span.Split(' ')[0])
        .Where(option => !ForeignOptions.Contains(option) && !IsOwnOption(page, option))
        .Select(option => $"{page.Name}: there is no {option}")));

    [Fact]
    public void The_readme_has_every_command()
    {
        IReadOnlyList<string> spans = MarkdownFile.Of("README.md").Spans;
        Assert.NotEmpty(ToolHelp.Root.Commands);
        Rule.Holds(ToolHelp.Root.Commands.Where(command => !spans.Any(span => span.Split(' ').Contains(command))));
    }

    [Theory]
    [InlineData("ps", null)]
    [InlineData("dump collect PID -o FILE --force", null)]
    [InlineData("shop.dmp --format json", null)]
    [InlineData("dump collcet PID", "there is no command dump collcet")]
    [InlineData("nonsense", "there is no command nonsense")]
    [InlineData("ps --limit 3", "ps has no option --limit")]
    [InlineData("TARGET --nonsense", "the tool has no option --nonsense")]
    public void A_command_line_is_checked(string arguments, string? complaint) => Assert.Equal(complaint, ToolHelp.Complaint(arguments));

    [Fact]
    public void Source_files_named_in_the_docs_exist()
    {
        string[] sources = [.. new[] { "src", "tests", "dumps", "scripts", "build" }.SelectMany(Files).Select(path => "/" + path.Replace('\\', '/'))];
        Rule.Holds(MarkdownFile.All.SelectMany(page => page.Spans
            .Where(span => SourceFile().IsMatch(span) && !sources.Any(source => source.EndsWith("/" + span, StringComparison.Ordinal)))
            .Where(span => !span.Contains("Orders", StringComparison.Ordinal))
            .Select(span => $"{page.Name}: there is no {span}")));
    }

    private static string PluginHelp => File.ReadAllText(Repository.PathOf("tests", "Async2.Tests", "Sos", "Approved", "help.txt"));

    private static IEnumerable<string> Files(string folder)
        => Directory.EnumerateFiles(Repository.PathOf(folder), "*.*", SearchOption.AllDirectories).Select(path => Path.GetRelativePath(Repository.Root, path));

    // The scenario programs have options of their own, and so have the scripts and the plugin.
    private static bool IsOwnOption(MarkdownFile page, string option) => page.Name.StartsWith("dumps", StringComparison.Ordinal)
        || (page.Name.EndsWith("sos.md", StringComparison.Ordinal) && (PluginHelp.Contains(option + " ", StringComparison.Ordinal) || ToolHelp.Of(["sos", "install"]).Options.Contains(option) || ToolHelp.Of(["sos", "path"]).Options.Contains(option)))
        // Those of an extension for test runs are in its source: it does not run here.
        || (page.Name.EndsWith("test-hangs.md", StringComparison.Ordinal) && File.ReadAllText(Repository.PathOf("src", "Async2.Testing", "HangOptions.cs")).Contains($"\"{option[2..]}\"", StringComparison.Ordinal))
        || ToolHelp.Root.Options.Contains(option)
        || ToolHelp.Root.Commands.Any(command => ToolHelp.Of([command]).Options.Contains(option));

    private static bool Leads(MarkdownFile page, string link)
    {
        string[] parts = link.Split('#', 2);
        string path = parts[0].Length == 0 ? page.Path : Path.GetFullPath(Path.Join(Path.GetDirectoryName(page.Path), parts[0]));
        if (!File.Exists(path) && !Directory.Exists(path))
            return false;
        return parts.Length == 1 || MarkdownFile.All.Any(other => other.Path == path && other.Anchors.Contains(parts[1]));
    }

    [GeneratedRegex("^[|] (A2D[0-9]{4}) [|]", RegexOptions.Multiline)]
    private static partial Regex CodeRow();

    [GeneratedRegex("A2D[0-9]{4}")]
    private static partial Regex Code();

    [GeneratedRegex("^(?:[.]/tools/)?(?:dotnet-async2|dotnet async2|dotnet run --project src/Async2[.]Dump --)(?: ([^|&>]*))?$")]
    private static partial Regex ToolCall();

    [GeneratedRegex(@"^[\w./-]+[.](cs|mjs|csproj|props)$")]
    private static partial Regex SourceFile();
}
