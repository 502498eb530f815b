using Async2.Tests.Support;

namespace Async2.Tests.House;

/// <summary>One file, one idea. When a limit is in the way, the design is asking for a split.</summary>
public sealed class SizeTests
{
    private const int LongestFile = 350;
    private const int MedianFile = 90;
    private const int LongestMethod = 40;

    [Theory]
    [InlineData("src")]
    [InlineData("tests")]
    [InlineData("dumps")]
    public void No_file_is_long(string folder)
        => Rule.Holds(Repository.CSharpFiles(folder).Where(path => File.ReadLines(path).Count() > LongestFile));

    [Theory]
    [InlineData("src")]
    [InlineData("tests")]
    [InlineData("scripts")]
    public void No_script_is_long(string folder)
        => Rule.Holds(Repository.ScriptFiles(folder).Where(path => File.ReadLines(path).Count() > LongestFile && !IsMade(path)));

    // One that a test writes is as long as the records that it is made from, which are in files of their own.
    private static bool IsMade(string path) => File.ReadLines(path).Take(3).Any(line => line.StartsWith("// Made from", StringComparison.Ordinal));

    [Fact]
    public void Most_files_are_short()
    {
        int[] lines = [.. Repository.CSharpFiles("src").Select(path => File.ReadLines(path).Count()).Order()];
        Assert.True(lines.Length > 20, "no sources found");
        Assert.True(lines[lines.Length / 2] <= MedianFile, $"the median is {lines[lines.Length / 2]}");
    }

    [Fact]
    public void No_method_is_long() => Rule.Holds(Repository.CSharpFiles("src")
        .SelectMany(path => MethodSizes.In(File.ReadAllText(path)).Where(method => method.Lines > LongestMethod).Select(method => $"{path}: {method}")));

    [Fact]
    public void Methods_are_measured()
    {
        const string source = """
            class A
            {
                /// <summary>Documentation does not count.</summary>
                void One() { }

                int Three
                {
                    get
                    {
                        return 3;
                    }
                }

                void Five()
                {
                    string braces = "}}";
                    void Inner() { }
                }
            }
            """;
        Assert.Equal([("One", 1), ("get", 4), ("Five", 5), ("Inner", 1)], MethodSizes.In(source));
    }
}
