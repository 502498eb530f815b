using Async2.Tests.Support;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Tool;

/// <summary>What happens before any target is read.</summary>
public sealed class UsageTests
{
    [Theory]
    [InlineData("help.txt", "--help")]
    [InlineData("help.dump-collect.txt", "dump", "collect", "--help")]
    public void Help_is_the_answer(string file, params string[] arguments)
    {
        ToolRun run = ToolRun.Of(arguments);
        Assert.Equal((0, ""), (run.ExitCode, run.Error));
        Approved.Check("Tool/Approved", file, string.Join("\n", run.Output.TrimEnd().Split('\n').Select(line => line.TrimEnd())) + "\n");
    }

    [Theory]
    [InlineData("no TARGET given")]
    [InlineData("Unknown option '--bogus'.", "--bogus")]
    [InlineData("Unknown option '--bogus'.", "analyze", "--bogus")]
    [InlineData("'text'", "--format", "xml", "1")]
    [InlineData("--limit needs a number above 0, not '0'", "--limit", "0", "1")]
    [InlineData("--limit needs a number above 0, not 'many'", "1", "--limit", "many")]
    [InlineData("PID is a whole number above 0, not 'abc'.", "dump", "collect", "abc")]
    [InlineData("TARGET", "analyze")]
    [InlineData("is a folder, not a file", "1", "-o", "/tmp")]
    [InlineData("does not exist", "1", "-o", "/no/such/folder/file")]
    [InlineData("bogus", "dump", "bogus")]
    [InlineData("'2'", "1", "2")]
    public void Wrong_usage_is_exit_2_with_a_fix(string expected, params string[] arguments)
    {
        ToolRun run = ToolRun.Of(arguments);
        Assert.Equal((2, ""), (run.ExitCode, run.Output));
        Assert.Matches(@"^error: .+\nfix: .*type .+\n$", run.Error);
        Assert.Contains(expected, run.Error);
    }

    [Theory]
    [InlineData("999999999")]
    [InlineData("no-such-name")]
    [InlineData("analyze", "999999999")]
    [InlineData("dump", "analyze", "/no/such/file")]
    [InlineData("dump", "analyze", "/etc/passwd")]
    [InlineData("/tmp")]
    [InlineData("dump", "collect", "999999999")]
    [InlineData("dump", "collect", "1")]
    public void A_target_that_cannot_be_read_is_exit_3_with_a_fix(params string[] arguments)
    {
        ToolRun run = ToolRun.Of(arguments);
        Assert.Equal((3, ""), (run.ExitCode, run.Output));
        Assert.Matches(@"^error: .+\nfix: .+\n$", run.Error);
        Assert.DoesNotContain("bug", run.Error);
    }

    [Fact]
    public void Only_verbose_shows_where_an_error_came_from()
    {
        Assert.DoesNotContain("   at ", ToolRun.Of("no-such-name").Error);
        Assert.Contains("   at Async2", ToolRun.Of("no-such-name", "--verbose").Error);
    }

    [Fact]
    public void A_hostile_argument_is_shown_escaped()
    {
        ToolRun run = ToolRun.Of("no\u001b[31m\nsuch");
        Assert.Contains("no\\u001b[31m\\u000asuch", run.Error);
        Assert.DoesNotContain('\u001b', run.Error);
    }
}
