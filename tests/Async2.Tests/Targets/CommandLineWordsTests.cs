using Async2.Analysis.Targets.Processes;

namespace Async2.Tests.Targets;

/// <summary>Command lines as CommandLineToArgvW takes them apart; the examples are of its page and of the C runtime's.</summary>
public sealed class CommandLineWordsTests
{
    [Theory]
    [InlineData("", "")]
    [InlineData("  ", "")]
    [InlineData("dotnet Shop.dll", "dotnet|Shop.dll")]
    [InlineData("\"C:\\Program Files\\dotnet\\dotnet.exe\"  \"C:\\My Shop\\Shop.dll\" --port\t80", "C:\\Program Files\\dotnet\\dotnet.exe|C:\\My Shop\\Shop.dll|--port|80")]
    [InlineData("a \"\" b", "a||b")]
    [InlineData("\"a b c\" d e", "a b c|d|e")]
    [InlineData("\"ab\\\"c\" \"\\\\\" d", "ab\"c|\\|d")]
    [InlineData("a\\\\\\b d\"e f\"g h", "a\\\\\\b|de fg|h")]
    [InlineData("a\\\\\\\"b c d", "a\\\"b|c|d")]
    [InlineData("a\\\\\\\\\"b c\" d e", "a\\\\b c|d|e")]
    [InlineData("\"never closed", "never closed")]
    [InlineData("ends in \\", "ends|in|\\")]
    public void Words_are_those_that_a_program_gets(string line, string words) => Assert.Equal(words, string.Join('|', CommandLineWords.Split(line)));
}
