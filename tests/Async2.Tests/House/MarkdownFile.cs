using System.Text.RegularExpressions;
using Async2.Tests.Support;

namespace Async2.Tests.House;

/// <summary>A page of documentation, taken apart as far as the tests need it.</summary>
internal sealed partial class MarkdownFile
{
    private readonly string _prose;

    private MarkdownFile(string path)
    {
        Path = path;
        string text = File.ReadAllText(path);
        _prose = FencePattern().Replace(text, "");
        BlockLines = [.. FencePattern().Matches(text).SelectMany(block => block.Groups[1].Value.Split('\n')).Select(line => line.Trim())];
        Spans = [.. SpanPattern().Matches(_prose).Select(span => span.Groups[1].Value)];
    }

    public string Path { get; }

    /// <summary>Name within the repository, for messages.</summary>
    public string Name => System.IO.Path.GetRelativePath(Repository.Root, Path);

    /// <summary>Lines of fenced blocks.</summary>
    public IReadOnlyList<string> BlockLines { get; }

    /// <summary>Text between single backticks.</summary>
    public IReadOnlyList<string> Spans { get; }

    public string Text => _prose;

    /// <summary>Targets of links that stay in the repository, <c>../README.md#try-it</c>.</summary>
    public IEnumerable<string> LocalLinks => LinkPattern().Matches(SpanPattern().Replace(_prose, ""))
        .Select(link => link.Groups[1].Value)
        .Where(target => !target.Contains("://", StringComparison.Ordinal));

    /// <summary>Anchors of the headings as GitHub makes them: lower case, words joined by hyphens.</summary>
    public IEnumerable<string> Anchors => HeadingPattern().Matches(_prose)
        .Select(heading => NoAnchorPattern().Replace(heading.Groups[1].Value.Trim().ToLowerInvariant(), "").Replace(' ', '-'));

    /// <summary>All pages that people wrote.</summary>
    public static IReadOnlyList<MarkdownFile> All { get; } =
    [
        .. Directory.EnumerateFiles(Repository.Root, "*.md")
            .Concat(Folders("docs", "dumps", "src", "tests").SelectMany(folder => Directory.EnumerateFiles(folder, "*.md", SearchOption.AllDirectories)))
            .Where(path => !path.Split(System.IO.Path.DirectorySeparatorChar).Any(part => part is "bin" or "obj" or "node_modules"))
            .Order(StringComparer.Ordinal)
            .Select(path => new MarkdownFile(path)),
    ];

    public static MarkdownFile Of(params string[] parts) => new(Repository.PathOf(parts));

    private static IEnumerable<string> Folders(params string[] names) => names.Select(name => Repository.PathOf(name)).Where(Directory.Exists);

    [GeneratedRegex("^```[^\\n]*\\n(.*?)^```", RegexOptions.Singleline | RegexOptions.Multiline)]
    private static partial Regex FencePattern();

    [GeneratedRegex("`([^`\\n]+)`")]
    private static partial Regex SpanPattern();

    [GeneratedRegex("\\]\\(([^)\\s]+)\\)")]
    private static partial Regex LinkPattern();

    [GeneratedRegex("^#+ (.+)$", RegexOptions.Multiline)]
    private static partial Regex HeadingPattern();

    [GeneratedRegex("[^\\w \\-]")]
    private static partial Regex NoAnchorPattern();
}
