using System.Diagnostics;
using System.Text.Json;
using System.Text.RegularExpressions;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Sos;

/// <summary>The plugin on processes that its host holds still. It cannot look again where a thread stood at a bad moment, so programs whose answers are compared with words are compiled once.</summary>
[Trait("Category", "Integration")]
public sealed class ProcessTests
{
    [Fact]
    public void Snapshots_of_scenarios_are_as_approved()
    {
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Release, ["--warm", "40"]);
        string plugin = new SosHost().Run($"{process.Pid}", "dumpasync2 --json");
        string[] own = PluginTests.StacksOf(ToolRun.Of($"{process.Pid}", "--all", "--format", "json").Output);
        Assert.True(own.Length > 100);
        // They are read one after the other.
        Assert.Equal(own.Select(WithoutAges), PluginTests.StacksOf(plugin).Select(WithoutAges));
        Assert.Equal("process", JsonDocument.Parse(plugin).RootElement.GetProperty("target").GetProperty("kind").GetString());
    }

    private static string WithoutAges(string stack) => Regex.Replace(stack, ",?\"age\":{[^}]*}", "");

    [Fact]
    public void A_very_deep_stack()
    {
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Situations, ["deep", "200000"], ScenarioProcess.Untiered);
        string[] said = new SosHost().Run($"{process.Pid}", "dumpasync2", "dumpasync2 --coalesce", "dumpasync2 --stats", "dumpasync2 --fields", "dumpasync2 --json");
        Assert.All(said[1..4], text => Assert.True(text.Length < 10_000, $"{text.Length}"));
        Assert.Contains("inner = {", said[4]);
        Assert.Contains("the same frame 199,", said[1]);
        Assert.Contains("the same frame 199,", said[2]);
        Assert.Matches("[0-9a-f]{16} 200,000 ", said[3]);
        Assert.True(JsonDocument.Parse(said[5]).RootElement.GetProperty("stacks")[0].GetProperty("frames").GetArrayLength() >= 200_000);
    }

    [Fact]
    public void Cycles_are_found_and_drawn()
    {
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Situations, ["cycle"], ScenarioProcess.Untiered);
        string text = new SosHost().Run($"{process.Pid}", "dumpasync2 --deadlocks");
        Assert.StartsWith("error: deadlock  Cycles.ShipAsync (Cycles.cs:20) and Cycles.PayAsync (Cycles.cs:27) await each other", text);
        Assert.True(Regex.IsMatch(text, @"\n\d+ of \d+ stacks? match(es)? --deadlocks"), text);
        Assert.Contains("STACK 1  deadlocked", text);
        Assert.Contains("back to the outermost frame below: a cycle", text);
    }

    [Fact]
    public void Equal_parts_are_shown_once()
    {
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Release, ["--chains", "20", "--depth", "5"], ScenarioProcess.Untiered);
        string text = new SosHost().Run($"{process.Pid}", "dumpasync2 --coalesce");
        Assert.Single(text.Split('\n'), line => line.StartsWith("STACKS ", StringComparison.Ordinal));
        Assert.Contains("  [20] ", text);
    }

    [Fact]
    public void Completed_methods_are_shown_on_request()
    {
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Classic, ["--only", "NestedCalls", "--warm", "5"], ScenarioProcess.Untiered);
        string[] said = new SosHost().Run($"{process.Pid}", "dumpasync2", "dumpasync2 --completed --coalesce", "dumpasync2 --completed --stats");
        Assert.DoesNotContain("completed", said[1]);
        Assert.Matches(@"^\d+ stacks in \d+ groups: 3 awaiting, \d+ completed\n", said[2]);
        Assert.Matches(@"STACKS \d+  completed  task 0x[0-9a-f]+\n.*finished, still on the heap\n  \[\d+\] +[0-9a-f]{16} \(\) +Scenarios\.Expressions\.NestedCalls\.", said[2]);
        Assert.Matches(@"\n[0-9a-f]{16} \d\d +Scenarios\.Expressions\.NestedCalls\.SendAsync", said[3]);
    }

    [Fact]
    public void A_detached_process_is_not_shown_from_an_old_answer()
    {
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Release, ScenarioDump.Scenarios);
        string[] said = new SosHost { IsLldb = true }.Run($"{process.Pid}", "dumpasync2", "dumpasync2", "detach", "dumpasync2", "dumpasync2 --json");
        Assert.StartsWith("4 stacks suspended", said[1]);
        Assert.Equal(said[1], said[2]);
        Assert.All(said[4..], text => Assert.StartsWith("ERROR: the debugger has detached from this process, and it runs: ", text));
    }

    [Fact]
    public void A_runtime_that_the_host_has_no_DAC_for()
    {
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Release, ScenarioDump.Scenarios);
        string text = new SosHost { LacksDac = true }.Run($"{process.Pid}", "dumpasync2");
        Assert.Matches("^ERROR: there is a .NET runtime in this target, but the host has no DAC for it [^\n]*setclrpath FOLDER[^\n]*\n$", text);
    }

    [Fact]
    public void A_native_program()
    {
        using var sleep = Process.Start("sleep", ["600"]);
        try
        {
            string[] said = new SosHost().Run($"{sleep.Id}", "dumpasync2", "dumpasync2 --json", "dumpasync2 --help");
            Assert.All(said[1..3], text => Assert.Matches("^ERROR: dumpasync2 needs a .NET runtime, and the host sees none in this target[^\n]*\n$", text));
            Assert.StartsWith("dumpasync2: shows what", said[3]);
        }
        finally
        {
            sleep.Kill();
        }
    }
}
