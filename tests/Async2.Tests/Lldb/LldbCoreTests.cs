using System.Text.Json;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Lldb;

/// <summary>dumpasync2 in bare lldb, on a core: the tool's own answer, and a line for each way to use it wrongly.</summary>
[Collection(DumpCollection.Name)]
[Trait("Category", "Integration")]
public sealed class LldbCoreTests(ScenarioDump dump)
{
    private string Open => $"target create --core \"{dump.Path}\"";

    [Fact]
    public void Stacks_are_those_of_the_tool()
    {
        string[] answers = LldbRun.Of(Open, "dumpasync2 --json", "dumpasync2 --coalesce", "dumpasync2", "dumpasync2 -f --type NestedCalls --limit 1");
        Assert.Equal(Stacks(ToolRun.Of(dump.Path, "--format", "json", "--all").Output), Stacks(answers[1]));
        Assert.Equal(ToolRun.Of(dump.Path).Output, answers[2]);
        Assert.Equal(ToolRun.Of(dump.Path, "--all").Output, answers[3]);
        Assert.Equal(ToolRun.Of(dump.Path, "--all", "--locals", "--type", "NestedCalls", "--limit", "1").Output, answers[4]);
    }

    /// <summary>Which the tool cannot see, because its answer goes through a pipe.</summary>
    [Fact]
    public void Text_fits_lldbs_terminal()
    {
        Assert.SkipUnless(File.Exists("/usr/bin/script"), "script is not installed: sudo apt-get install bsdutils");
        string narrow = ToolRun.Of(dump.Path, "--all", "--ascii", "--width", "60").Output;
        Assert.NotEqual(narrow, ToolRun.Of(dump.Path, "--all", "--ascii").Output);
        ToolRun run = LldbRun.InTerminal(columns: 60, Open, "dumpasync2 --ascii");
        Assert.Contains(narrow, run.Output.ReplaceLineEndings("\n"), StringComparison.Ordinal);
    }

    [Fact]
    public void An_address_leads_to_its_stack()
    {
        using var answer = JsonDocument.Parse(ToolRun.Of(dump.Path, "--format", "json", "--all").Output);
        JsonElement stack = answer.RootElement.GetProperty("stacks")[0];
        string[] answers = LldbRun.Of(Open, "dumpasync2 --json -addr " + stack.GetProperty("frames")[0].GetProperty("address").GetString());
        using var found = JsonDocument.Parse(answers[1]);
        Assert.Equal(stack.GetProperty("frames").GetRawText(), Assert.Single(found.RootElement.GetProperty("stacks").EnumerateArray()).GetProperty("frames").GetRawText());
    }

    [Fact]
    public void Wrong_usage_gives_one_clear_line_and_lldb_continues()
    {
        (string Command, string Answer)[] cases =
        [
            ("dumpasync2 --limit", "error: --limit needs a value"),
            ("dumpasync2 --limit x", "error: --limit needs a number above 0, not 'x'\nfix: type --limit 20"),
            ("dumpasync2 --nonsense", "error: Unrecognized command or argument '--nonsense'. See 'help dumpasync2'"),
            ("dumpasync2 ps", "error: unexpected 'ps': the target is the one that lldb has open. See 'help dumpasync2'"),
            ("dumpasync2 @words.txt", "error: unexpected '@words.txt': the target is the one that lldb has open. See 'help dumpasync2'"),
            ("dumpasync2 --method 'a", "error: the options cannot be read: no closing quotation"),
            ("dumpasync2 --coalesce=1", "error: --coalesce takes no value"),
            ("dumpasync2 -mt none", "error: --methodtable needs an address in hex, not 'none'\nfix: type --methodtable 0x7f2a0010c8, as an earlier answer shows it"),
            ("dumpasync2 --stats", "error: --stats: there are no statistics of types: --coalesce --group-by method counts stacks by method"),
            ("dumpasync2 --core /dev/null", "error: '/dev/null' is empty.\nfix: was the disk full when the dump was written? write a new one: dotnet-async2 dump collect PID"),
        ];
        string[] answers = LldbRun.Of([Open, .. cases.Select(c => c.Command), "dumpasync2 --limit 1"]);
        Assert.Equal(cases.Select(c => c.Command + "\n" + c.Answer + "\n"), cases.Zip(answers[1..], (c, answer) => c.Command + "\n" + answer));
        Assert.StartsWith("4 stacks suspended", answers[^1], StringComparison.Ordinal);
    }

    [Fact]
    public void Option_text_reaches_the_tool_unchanged()
    {
        string[] answers = LldbRun.Of(Open, "dumpasync2 --with \"-x; touch $(id) | %s %n @a\" --limit 1", "dumpasync2 --method @/etc/passwd --limit 1");
        Assert.StartsWith("none of 4 stacks matches --with '-x; touch $(id) | %s %n @a'\n", answers[1], StringComparison.Ordinal);
        Assert.StartsWith("none of 4 stacks matches --method '@/etc/passwd'\n", answers[2], StringComparison.Ordinal);
    }

    [Fact]
    public void An_incomplete_answer_is_shown_with_a_warning()
    {
        string cut = dump.Copy();
        using (FileStream file = File.OpenWrite(cut))
            file.SetLength(file.Length - 1);
        string[] answers = LldbRun.Of($"target create --core \"{cut}\"", "dumpasync2 --json");
        Assert.Contains("warning: the answer is incomplete: its last lines say why\n", answers[1], StringComparison.Ordinal);
        Assert.Contains("A2D3004", answers[1], StringComparison.Ordinal);
    }

    /// <summary>SOS's plugin is known to lldb by a second name, as a command that a user added (as the real one is) or as an alias.</summary>
    [Theory]
    [InlineData("command script add -f of_plugin DumpAsync2")]
    [InlineData("command alias DumpAsync2 script print('plugin')")]
    public void If_SOS_has_the_plugin_the_script_passes_commands_on(string added)
    {
        const string standIn = "script exec(\"def of_plugin(debugger, command, result, internal): result.AppendMessage('plugin')\", globals())";
        string[] answers = LldbRun.Of(Open, "dumpasync2 --limit 1", standIn, added, "dumpasync2", "dumpasync2 --limit 1");
        Assert.StartsWith("4 stacks suspended", answers[1], StringComparison.Ordinal);
        Assert.StartsWith("plugin\n", answers[4], StringComparison.Ordinal);
    }

    [Fact]
    public void It_prints_help()
    {
        string[] answers = LldbRun.Of("help dumpasync2", "dumpasync2 --help", $"command script import \"{LldbRun.Script}\"", "help");
        foreach (string text in answers[..2])
        {
            Assert.Contains("Show what every async method of a .NET process or core dump waits for.", text, StringComparison.Ordinal);
            Assert.Contains("\n  --coalesce             Show equal stacks once, with a count\n", text, StringComparison.Ordinal);
        }
        Assert.Equal("", answers[2]);
        Assert.Matches("dumpasync2 +-- Show what every async method", answers[3]);
    }

    private static string Stacks(string json)
    {
        using var answer = JsonDocument.Parse(json);
        return answer.RootElement.GetProperty("stacks").GetRawText();
    }
}
