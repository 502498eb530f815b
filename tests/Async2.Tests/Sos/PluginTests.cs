using System.Text.Json;
using System.Text.RegularExpressions;
using Async2.Tests.Support;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Sos;

/// <summary>The built plugin, unmodified, in a host with the real hosts' rules, on a dump.</summary>
[Trait("Category", "Integration")]
[Collection(DumpCollection.Name)]
public sealed partial class PluginTests(ScenarioDump dump)
{
    [Theory]
    [MemberData(nameof(SosHost.Majors), MemberType = typeof(SosHost))]
    public void In_each_host_the_stacks_are_those_of_the_tool(int major)
    {
        string[] said = new SosHost { Major = major }.Run(dump.Path, "dumpasync2 --json", "dumpasync2 --json --coalesce", "DumpAsync2 --json --fields");
        Assert.Equal("Loading extension Async2.Sos.dll\n", said[0]);
        Assert.Equal(Stacks("--all"), StacksOf(said[1]));
        Assert.Equal(Stacks(), StacksOf(said[2]));
        Assert.Equal(Stacks("--all", "--locals"), StacksOf(said[3]));
    }

    [Theory]
    [InlineData("list", "dumpasync2")]
    [InlineData("coalesce", "dumpasync2 --coalesce")]
    [InlineData("stats", "dumpasync2 --stats")]
    [InlineData("fields", "dumpasync2 --fields --limit 2")]
    [InlineData("help", "dumpasync2 --help")]
    public void Text_is_as_approved(string name, string command)
        => Approved.Check("Sos/Approved", name + ".txt", Masked(new SosHost().Run(dump.Path, command)));

    [Fact]
    public void A_narrow_console_gets_short_lines()
    {
        string text = new SosHost { Width = 100, InTerminal = true }.Run(dump.Path, "dumpasync2");
        Assert.All(text.Split('\n'), line => Assert.True(line.Length <= 100, line));
        Assert.Contains("NestedCalls.cs:35", text);
        Assert.DoesNotContain("PackAsync(int, int, Trail, bool)", text);
        // Of a pipe hosts say that it has 80 columns.
        Assert.Equal(new SosHost().Run(dump.Path, "dumpasync2"), new SosHost { Width = 80 }.Run(dump.Path, "dumpasync2"));
    }

    [Theory]
    [InlineData(9)]
    [InlineData(10)]
    public void In_a_host_with_links_addresses_link_to_objects(int major)
    {
        string text = new SosHost { Major = major, HasDml = true }.Run(dump.Path, "dumpasync2");
        string frame = text.Split('\n').Single(line => line.Contains("PackAsync", StringComparison.Ordinal));
        Assert.Matches("^  <exec cmd=\"!dumpobj ([0-9a-f]{16})\">\\1</exec> <exec cmd=\"!dumpmt ([0-9a-f]{16})\">\\2</exec> \\(0\\)", frame);
        Assert.Contains("task <exec cmd=\"!dumpobj 0x", text);
        Assert.Equal(new SosHost().Run(dump.Path, "dumpasync2"), LinkTag().Replace(text, "$1"));
    }

    [Fact]
    public void Addresses_method_tables_and_names_find_stacks()
    {
        JsonElement stack = JsonDocument.Parse(new SosHost().Run(dump.Path, "dumpasync2 --json")).RootElement.GetProperty("stacks")[0];
        string address = stack.GetProperty("frames")[0].GetProperty("address").GetString()!;
        string[] said = new SosHost().Run(
            dump.Path, $"dumpasync2 -addr {address}", "dumpasync2 --type BakeAsync", "dumpasync2 --stats -mt 1234560", "dumpasync2 --type DelayPromise --stats");
        Assert.StartsWith($"1 of 4 stacks matches --address {address}", said[1]);
        Assert.StartsWith("1 of 4 stacks matches --type BakeAsync", said[2]);
        Assert.Contains("TaskDelay.RestAsync", said[2]);
        Assert.StartsWith("none of 4 stacks matches --methodtable 1234560", said[3]);
        Assert.StartsWith("1 of 4 stacks matches --type DelayPromise", said[4]);
    }

    [Theory]
    [InlineData(1, "--method", "packasync")]
    [InlineData(4, "--module", "scenarios.dll")]
    [InlineData(0, "--module", "Nobody")]
    [InlineData(3, "--with", @"NestedCalls\.cs:17", "--with", "Async")]
    [InlineData(2, "--with", @"NestedCalls\.cs:17", "--without", "Pack")]
    [InlineData(1, "--without", "Pack", "--without", "Pick", "--without", "Wrap")]
    [InlineData(1, "--waiting-on", "delay")]
    [InlineData(4, "--state", "awaiting,blocked")]
    [InlineData(0, "--state", "active")]
    [InlineData(0, "--thread", "12345")]
    [InlineData(0, "--task", "0x1230")]
    [InlineData(2, "--limit", "2")]
    public void Each_filter_has_the_same_meaning_as_in_the_tool(int stacks, params string[] filter)
    {
        string[] found = StacksOf(new SosHost().Run(dump.Path, $"dumpasync2 --json {string.Join(' ', filter)}"));
        Assert.Equal(stacks, found.Length);
        Assert.Equal(Stacks(["--all", .. filter]), found);
    }

    [Fact]
    public void A_task_finds_its_stack()
    {
        string task = JsonDocument.Parse(new SosHost().Run(dump.Path, "dumpasync2 --json")).RootElement.GetProperty("stacks")[2].GetProperty("task").GetString()!;
        Assert.StartsWith($"1 of 4 stacks matches --task {task}", new SosHost().Run(dump.Path, $"dumpasync2 --task {task}"));
    }

    [Fact]
    public void Sections_have_headings_and_shares()
    {
        string[] said = new SosHost().Run(dump.Path, "dumpasync2 --group-by waiting-on", "dumpasync2 --group-by waiting-on --coalesce", "dumpasync2 --stats --group-by waiting-on", "dumpasync2 --json --group-by waiting-on");
        Assert.Matches(@"\n== TaskCompletionSource<int>  3 stacks  75%\n\nSTACK 1 [^=]+STACK 3 [^=]+\n== Task.Delay  1 stack  25%\n\nSTACK 4 ", said[1]);
        Assert.Matches(@"\n== TaskCompletionSource<int>  3 stacks  75%\n\nSTACKS 1 [^=]+\n== Task.Delay  1 stack  25%\n\nSTACKS \d ", said[2]);
        Assert.Matches(@"\n== Task.Delay  1 stack  25%\n\nMT +Count +Type\n", said[3]);
        JsonElement[] groups = [.. JsonDocument.Parse(said[4]).RootElement.GetProperty("groups").EnumerateArray()];
        Assert.Equal([3, 1], groups.Select(group => group.GetProperty("count").GetInt32()));
    }

    [Fact]
    public void Nothing_is_deadlocked_and_all_wait()
    {
        string[] said = new SosHost().Run(dump.Path, "dumpasync2 --deadlocks", "dumpasync2 --waiting --limit 1");
        Assert.StartsWith("none of 4 stacks matches --deadlocks", said[1]);
        Assert.StartsWith("4 of 4 stacks match --waiting", said[2]);
        Assert.Contains("3 more stacks not shown (--limit)", said[2]);
    }

    [Theory]
    [InlineData("")]
    [InlineData(" --waiting")]
    [InlineData(" --deadlocks --json")]
    [InlineData(" --waiting --tasks --coalesce")]
    public void A_repeated_query_finds_each_once(string options)
    {
        // With Ctrl-C at once nothing can be found any more; so what is shown was known.
        string[] said = new SosHost().Run(dump.Path, "dumpasync2" + options, "interrupt", "dumpasync2" + options);
        Assert.Equal(said[1], said[3]);
        Assert.DoesNotContain("interrupted", said[3]);
    }

    [Fact]
    public void Ctrl_C_gives_partial_results_and_says_so()
    {
        string text = new SosHost { Interrupt = 0 }.Run(dump.Path, "dumpasync2");
        Assert.StartsWith("no async stacks found, but the answer is partial\n", text);
        Assert.Contains("the analysis was interrupted: this is what was found until then", text);
    }

    private string[] Stacks(params string[] options)
    {
        ToolRun run = ToolRun.Of([dump.Path, "--format", "json", .. options]);
        Assert.Equal((0, ""), (run.ExitCode, run.Error));
        return StacksOf(run.Output);
    }

    /// <summary>Each stack of an answer as its own text, whichever way its letters were escaped.</summary>
    internal static string[] StacksOf(string json)
        => [.. JsonDocument.Parse(json).RootElement.GetProperty("stacks").EnumerateArray().Select(stack => JsonSerializer.Serialize(stack))];

    // Addresses and the pid are others each time; what is behind them must not move.
    private static string Masked(string text) => Pid().Replace(Address().Replace(text, match => new string('0', match.Length)), "dump PID,");

    [GeneratedRegex("(?<=0x)[0-9a-f]{6,16}|[0-9a-f]{16}")]
    private static partial Regex Address();

    [GeneratedRegex(@"\bdump \d+,")]
    private static partial Regex Pid();

    [GeneratedRegex("<exec cmd=\"[^\"]*\">([^<]*)</exec>")]
    private static partial Regex LinkTag();
}
