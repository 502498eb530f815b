using System.Text.RegularExpressions;
using Async2.Tests.Support;

namespace Async2.Tests.House;

public sealed partial class SourceTests
{
    /// <summary>The scenario programs are left out: one of them has Cyrillic names on purpose.</summary>
    [Fact]
    public void Source_is_ascii()
        => Rule.Holds(Lines(text => text.Any(c => c > 0x7e || (c < 0x20 && c != '\t')), [.. Files("src", "tests"), .. Scripts]));

    [Fact]
    public void There_are_no_TODO_comments() => Rule.Holds(Lines(text => Unfinished().IsMatch(text), [.. Files("src", "dumps"), .. Scripts]));

    [Fact]
    public void File_names_are_specific() => Rule.Holds(Repository.CSharpFiles("src").Where(path => SaysNothing(Path.GetFileName(path))));

    [Theory]
    [InlineData("StackHelper.cs", true)]
    [InlineData("DumpUtils.cs", true)]
    [InlineData("TargetManager.cs", true)]
    [InlineData("AsyncHelper.cs", false)]
    [InlineData("StackText.cs", false)]
    public void The_check_knows_empty_names(string file, bool empty) => Assert.Equal(empty, SaysNothing(file));

    // The runtime's own AsyncHelpers is a word of the field.
    private static bool SaysNothing(string file) => EmptyName().IsMatch(file) && !file.StartsWith("AsyncHelper", StringComparison.Ordinal);

    private static IEnumerable<string> Scripts => ((string[])["src", "tests", "scripts"]).SelectMany(Repository.ScriptFiles);

    private static IEnumerable<string> Files(params string[] folders) => folders.SelectMany(Repository.CSharpFiles);

    private static IEnumerable<string> Lines(Predicate<string> wrong, IEnumerable<string> files) => files
        .SelectMany(path => File.ReadLines(path)
            .Select((text, index) => (text, place: $"{path}:{index + 1}"))
            .Where(line => wrong(line.text))
            .Select(line => $"{line.place}: {line.text.Trim()}"));

    [GeneratedRegex(@"\b(TODO|FIXME|HACK|XXX)\b")]
    private static partial Regex Unfinished();

    [GeneratedRegex("(Helper|Manager|Util|Utils|Utility|Utilities)s?[.]cs$")]
    private static partial Regex EmptyName();
}
