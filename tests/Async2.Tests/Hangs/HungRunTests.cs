using Async2.Tests.Support;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Hangs;

/// <summary>Test runs that do not end say what they wait for, by themselves; those that do end say nothing. The runner is never ended.</summary>
[Trait("Category", "Integration")]
public sealed class HungRunTests
{
    private static readonly string[] Fast = ["--async2-hang-timeout", "2s", "--async2-tool", ToolRun.Program];

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Tests_that_hang_are_shown_first_with_what_is_wrong(bool isDynamic)
    {
        using var folder = new TemporaryFolder();
        using var run = new HungRun("Deadlock,Lost,Quick", isDynamic, [.. Fast, "--results-directory", folder.Path]);
        run.WaitFor("::error ");
        run.WaitFor("Suite.Lost, running");
        string said = run.Output;
        int deadlock = run.TruthOf("Deadlock"), lost = run.TruthOf("Lost");
        Assert.Contains("async2: 2 tests run for ", said);
        Assert.DoesNotContain("Suite.Quick", said);
        // First the tests' own stacks at their lines, then the finding, then the rest.
        int[] places = [said.IndexOf($"Suite.cs:{deadlock}\n", StringComparison.Ordinal), said.IndexOf($"Suite.cs:{lost}\n", StringComparison.Ordinal),
            said.IndexOf("error: deadlock ", StringComparison.Ordinal), said.IndexOf("all other stacks", StringComparison.Ordinal), said.IndexOf("HungTests.Suite.BackwardsAsync", StringComparison.Ordinal)];
        Assert.DoesNotContain(-1, places);
        Assert.All(places[..2], place => Assert.True(place < places[2], said));
        Assert.True(places[2] < places[3] && places[3] < places[4], said);
        Assert.Contains($"/dumps/HungTests/Suite.cs,line={deadlock},title=test hangs::HungTests.Suite.Deadlock, running for ", said);
        Assert.Contains("::warning file=", said);
        Assert.DoesNotContain("Async2.Testing.", said[said.IndexOf("async2: ", StringComparison.Ordinal)..]);
        Assert.Single(Directory.GetFiles(folder.Path, "async2-hang-*.html"));
        Assert.Contains("HungTests.Suite.Deadlock()", ToolRun.Of(Assert.Single(Directory.GetFiles(folder.Path, "async2-hang-*.async2snap"))).Output);
        // It goes on, and is not asked again for the same tests.
        Thread.Sleep(3000);
        Assert.False(run.HasEnded);
        Assert.Single(run.Output.Split("async2: ").Skip(1));
    }

    [Fact]
    public void A_fixture_that_hangs_is_shown()
    {
        using var folder = new TemporaryFolder();
        using var run = new HungRun("Fixture,Quick", isDynamic: false, [.. Fast, "--results-directory", folder.Path]);
        run.WaitFor("saved ");
        Assert.Contains("no test is in progress, and nothing has happened for ", run.Output);
        Assert.Contains($"Suite.cs:{run.TruthOf("Fixture")}\n", run.Output);
    }

    [Fact]
    public void A_process_that_a_test_waits_for_is_shown_too()
    {
        using var folder = new TemporaryFolder();
        using var run = new HungRun("Child", isDynamic: false, [.. Fast, "--results-directory", folder.Path]);
        run.WaitFor("Suite.WaitInChild()");
        string said = run.Output;
        Assert.Contains($"Suite.cs:{run.TruthOf("Child")}\n", said);
        int child = said.IndexOf(", started by the tests: HungTests\n", StringComparison.Ordinal);
        Assert.True(child > said.IndexOf("saved ", StringComparison.Ordinal), said);
        Assert.Contains($"Suite.cs:{run.TruthOf("WaitInChild")}", said[child..]);
        Assert.Single(said.Split(", started by the tests: ").Skip(1));
    }

    // Its runtime waits for a thread that it cannot stop: no managed thread of the host runs any more. The extension is registered twice, by code and by its manifest.
    [Fact]
    public void A_host_that_stands_still_as_a_whole_is_shown_by_its_controller()
    {
        using var folder = new TemporaryFolder();
        using var run = new HungRun("Frozen", isDynamic: false, [.. Fast, "--enable-dynamic-extensions", "--hangdump", "--hangdump-timeout", "1h", "--results-directory", folder.Path]);
        run.WaitFor("::warning ");
        Assert.Contains("async2: 1 test runs for ", run.Output);
        Assert.Contains("keeps thread ", run.Output);
        Assert.Contains("waits for GC.Collect", run.Output);
        Assert.Contains($"HungTests.Suite.Frozen()  ", run.Output);
        // On a busy machine the host may take longer to start than the limit is: that is said, too, with files of its own.
        int starts = run.Output.Split("async2: no test is in progress").Length - 1;
        Assert.Equal(2 * (1 + starts), Directory.GetFiles(folder.Path, "async2-hang-*").Length);
        Assert.Single(run.Output.Split("async2: ").Skip(1 + starts));
        Assert.False(run.HasEnded);
    }

    [Fact]
    public void What_dotnet_test_keeps_until_the_end_is_shown_at_once()
    {
        using var folder = new TemporaryFolder();
        using HungRun run = HungRun.ByDotnetTest("Lost", folder, Fast[..2]);
        run.WaitFor("::warning ");
        Assert.Contains("  HungTests.Suite.Lost\n", run.Output);
        Assert.Contains("  HungTests.Suite.Lost()", run.Output);
        Assert.False(run.HasEnded);
    }

    // With xunit.v3 the tests are in another process than the host.
    [Theory]
    [InlineData("HungVsTests", false)]
    [InlineData("HungVsTests.V3", false)]
    [InlineData("HungVsTests", true)]
    [InlineData("HungVsTests.V3", true)]
    public void A_host_of_VSTest_is_read_by_the_data_collector_and_from_within(string program, bool isWithin)
    {
        using var folder = new TemporaryFolder();
        using HungRun run = HungRun.OnVsTest(program, $"<HangTimeout>2s</HangTimeout><Tool>{ToolRun.Program}</Tool>", folder, isWithin);
        run.WaitFor("::warning ");
        string said = run.Output[run.Output.IndexOf("async2: 1 test runs for ", StringComparison.Ordinal)..];
        string[] truth = File.ReadAllText(folder.PathOf("truth")).Split(' ', 2);
        Assert.Contains("HungVsTests.Suite.Lost\n", said);
        Assert.DoesNotContain("Suite.Quick", said);
        int own = said.IndexOf($"Suite.cs:{truth[0]}\n", StringComparison.Ordinal);
        Assert.True(own > 0 && own < said.IndexOf("all other stacks", StringComparison.Ordinal), said);
        Assert.DoesNotContain("Async2.Testing.", said);
        // How the host is told to let the collector read it.
        Assert.Equal(isWithin, !truth[1].Contains("Async2.Testing.Hook.dll", StringComparison.Ordinal));
        Assert.Contains(isWithin ? $"saved {folder.PathOf("results")}/async2-hang-" : "attached async2-hang-", said);
        ProcessFacts.WaitUntil(() => Directory.GetFiles(folder.Path, "async2-hang-*", SearchOption.AllDirectories).Length >= 2, "the files are with the results");
        Assert.False(run.HasEnded);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_collector_that_does_not_understand_its_settings_says_so(bool isWithin)
    {
        using var folder = new TemporaryFolder();
        using HungRun run = HungRun.OnVsTest("HungVsTests", "<HangTimeout>soon</HangTimeout>", folder, isWithin);
        run.WaitFor("'soon' is not a time: give it as 90s, 5m or 1.5h; 5 min is used");
    }

    // Every worker of the pool blocks: nothing in the process itself could say so.
    [Fact]
    public void A_run_without_workers_is_shown()
    {
        using var folder = new TemporaryFolder();
        using var run = new HungRun(string.Join(',', Enumerable.Repeat("Blocking", 4)), isDynamic: false, [.. Fast, "--results-directory", folder.Path]);
        run.WaitFor("saved ");
        Assert.Contains($"Suite.cs:{run.TruthOf("Blocking")}", run.Output);
        Assert.Contains("HungTests.Suite.Blocking", run.Output);
    }

    [Fact]
    public void A_slow_test_is_not_accused()
    {
        using var folder = new TemporaryFolder();
        using var run = new HungRun("Slow,Quick", isDynamic: false, [.. Fast, "--results-directory", folder.Path]);
        Assert.Equal(0, run.WaitForEnd());
        // The platform lists what is attached.
        foreach (string file in Directory.GetFiles(folder.Path, "async2-hang-*"))
            Assert.Contains("- " + file, run.Output);
        Assert.Contains("Task.Delay, 12 s, due in ", run.Output);
        Assert.Contains("::warning ", run.Output);
        Assert.DoesNotContain("::error ", run.Output);
        Assert.DoesNotContain("error: ", run.Output);
        Assert.DoesNotContain("warning: ", run.Output);
    }

    [Fact]
    public void A_run_that_is_well_hears_nothing()
    {
        using var folder = new TemporaryFolder();
        using var run = new HungRun("Quick", isDynamic: false, ["--async2-tool", ToolRun.Program, "--results-directory", folder.Path]);
        Assert.Equal(0, run.WaitForEnd());
        Assert.DoesNotContain("async2", run.Output + run.Errors, StringComparison.OrdinalIgnoreCase);
        Assert.Empty(Directory.GetFiles(folder.Path, "async2*"));
    }

    [Fact]
    public void Without_the_tool_it_says_how_to_get_it()
    {
        using var folder = new TemporaryFolder();
        string nothing = folder.PathOf("dotnet-async2");
        File.WriteAllText(nothing, "#!/no/such/interpreter\n");
        using var run = new HungRun("Lost", isDynamic: false, ["--async2-hang-timeout", "1s", "--async2-tool", nothing, "--results-directory", folder.Path]);
        run.WaitFor("could not be started", inErrors: true);
        Assert.False(run.HasEnded);
    }

    [Theory]
    [InlineData("--async2-hang-timeout", "soon", "is not a time")]
    [InlineData("--async2-tool", "/no/such/file", "there is no file")]
    public void Bad_options_are_refused(string option, string value, string why)
    {
        using var run = new HungRun("Quick", isDynamic: false, option, value);
        Assert.NotEqual(0, run.WaitForEnd());
        Assert.Contains(why, run.Output + run.Errors);
    }
}
