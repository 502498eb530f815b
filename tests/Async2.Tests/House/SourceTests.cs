using System.Text.RegularExpressions;
using Async2.Tests.Support;

namespace Async2.Tests.House;

public sealed partial class SourceTests
{
    [Fact]
    public void Source_is_ascii() => Assert.Empty(Lines("src", "tests", "dumps").Where(line => line.Text.Any(c => c > 0x7e || (c < 0x20 && c != '\t'))).ToArray());

    [Fact]
    public void Nothing_is_left_to_do() => Assert.Empty(Lines("src", "dumps").Where(line => Unfinished().IsMatch(line.Text)).ToArray());

    [Fact]
    public void Names_say_what_a_thing_is() => Assert.Empty(Repository.CSharpFiles("src").Where(path => Empty().IsMatch(Path.GetFileName(path))).ToArray());

    private static IEnumerable<(string Place, string Text)> Lines(params string[] folders) => folders
        .SelectMany(Repository.CSharpFiles)
        .SelectMany(path => File.ReadLines(path).Select((text, index) => ($"{path}:{index + 1}", text)));

    [GeneratedRegex(@"\b(TODO|FIXME|HACK|XXX)\b")]
    private static partial Regex Unfinished();

    [GeneratedRegex("(Helper|Manager|Util|Utils|Utility)s?[.]cs$")]
    private static partial Regex Empty();
}
