using Async2.Tests.Support;

namespace Async2.Tests.House;

public sealed class PlainWordsTests
{
    private static readonly string[] Folders = ["src", "tests", "samples", "docs", "scripts"];

    private static readonly string[] Own = ["PlainWords.cs", "PlainWordsTests.cs"];

    /// <summary>Code, comments, messages, help, pages and the extension's texts. Scenario programs name their methods as users do.</summary>
    [Fact]
    public void Sentences_are_plain() => Rule.Holds(Lines(Texts, line => PlainWords.InSentence(line) is { } instead ? $"write '{instead}'" : null));

    [Fact]
    public void Names_are_plain() => Rule.Holds(Lines(Code, line => PlainWords.InName(line)));

    [Theory]
    [InlineData("// Reads the target anew.", "again")]
    [InlineData("What is wrong, and the cure.", "fix")]
    [InlineData("two methods in a circle", "cycle")]
    [InlineData("/// <summary>Whoever reads it is told so.</summary>", "the noun")]
    [InlineData("the file is no dump", "is not a")]
    [InlineData("The process stands still.", "is stopped")]
    [InlineData("There is no process 7.", null)]
    [InlineData("nothing is there: there is no dump", null)]
    [InlineData("it is no longer held", null)]
    [InlineData("icon: 'play-circle'", null)]
    public void The_check_knows_sentences(string line, string? instead) => Assert.Equal(instead, PlainWords.InSentence(line));

    [Theory]
    [InlineData("void ReadAnew()", "ReadAnew")]
    [InlineData("private bool _isTold;", "_isTold")]
    [InlineData("public void A_circle_is_shown()", "A_circle_is_shown")]
    [InlineData("// said in a sentence", null)]
    [InlineData("void ReadAgain()", null)]
    public void The_check_knows_names(string line, string? name) => Assert.Equal(name, PlainWords.InName(line));

    private static IEnumerable<string> Code => Folders.SelectMany(folder => Repository.CSharpFiles(folder).Concat(Repository.ScriptFiles(folder)));

    private static IEnumerable<string> Texts => Code.Concat(MarkdownFile.All.Select(page => page.Path)).Concat(
    [
        Repository.PathOf("src", "vscode-ext", "package.nls.json"), Repository.PathOf("src", "vscode-ext", "l10n", "bundle.l10n.json"),
        Repository.PathOf("docs", "async2.stacks.schema.json"),
    ]);

    private static IEnumerable<string> Lines(IEnumerable<string> files, Func<string, string?> fault) => files
        .Where(path => !Own.Contains(Path.GetFileName(path)))
        .SelectMany(path => File.ReadLines(path).Select((line, index) => fault(line) is { } what ? $"{path}:{index + 1}: {what}: {line.Trim()}" : null))
        .OfType<string>();
}
