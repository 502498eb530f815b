using Async2.Analysis.Model.Frames;
using Async2.Dump.Hangs;
using Async2.Testing;
using Async2.Tests.Support;

namespace Async2.Tests.Hangs;

public sealed class RunningTestsTests
{
    private static TimeSpan At(double seconds) => TimeSpan.FromSeconds(seconds);

    [Fact]
    public void Each_test_is_named_once()
    {
        var tests = new RunningTests(At(10));
        tests.Begin("1", "first", At(0));
        tests.Begin("2", "second", At(5));
        Assert.Null(tests.Overdue(At(9.9)));
        Assert.Equal(["first"], tests.Overdue(At(10))!.Names);
        Assert.Null(tests.Overdue(At(14)));
        // With those that were named before: they may hang together.
        HungTests both = tests.Overdue(At(15))!;
        Assert.Equal(["first", "second"], both.Names);
        Assert.Equal(At(15), both.For);
        tests.End("1", At(16));
        Assert.Null(tests.Overdue(At(100)));
    }

    [Fact]
    public void A_run_without_tests_is_named_once_until_something_happens()
    {
        var tests = new RunningTests(At(10));
        Assert.Null(tests.Overdue(At(9)));
        Assert.Empty(tests.Overdue(At(11))!.Names);
        Assert.Null(tests.Overdue(At(60)));
        tests.Begin("1", "first", At(61));
        tests.End("1", At(62));
        Assert.Null(tests.Overdue(At(71)));
        Assert.Equal(At(10), tests.Overdue(At(72))!.For);
    }

    [Fact]
    public void A_log_is_not_filled()
    {
        var tests = new RunningTests(At(1));
        int reports = 0;
        for (int i = 0; i < 100; i++)
        {
            tests.Begin($"{i}", $"{i}", At(i * 10));
            reports += tests.Overdue(At((i * 10) + 5)) is null ? 0 : 1;
        }
        Assert.Equal(RunningTests.MostReports, reports);
    }

    [Theory]
    [InlineData("90s", 90.0)]
    [InlineData("1.5h", 5400.0)]
    [InlineData("5m", 300.0)]
    [InlineData("5400000ms", 5400.0)]
    [InlineData("2 minutes", 120.0)]
    [InlineData("1D", 86400.0)]
    [InlineData("90Secs", 90.0)]
    [InlineData("5", null)]
    [InlineData("-5s", null)]
    [InlineData("0s", null)]
    [InlineData("1e9s", null)]
    [InlineData("99999h", null)]
    [InlineData("s", null)]
    [InlineData("", null)]
    public void Times_have_units(string text, double? seconds) => Assert.Equal(seconds, HangTime.Parse(text)?.TotalSeconds);

    // Hang dumps of both platforms take a bare number for milliseconds.
    [Theory]
    [InlineData("90000", 90.0)]
    [InlineData("20m", 1200.0)]
    public void A_hang_dump_may_have_a_bare_number(string text, double seconds) => Assert.Equal(seconds, HangTime.Parse(text, "ms")?.TotalSeconds);

    [Theory]
    [InlineData("--Blame:CollectHangDump;TestTimeout=20m", 1200.0)]
    [InlineData("/blame:CollectDump;CollectHangDump;TestTimeout=90000;HangDumpType=full", 90.0)]
    [InlineData("--Blame", null)]
    [InlineData("--logger:x;TestTimeout=20m", null)]
    public void Blame_says_when_its_dump_comes(string word, double? seconds) => Assert.Equal(seconds, BlameTimeout.Of(["exec", "vstest.console.dll", word])?.TotalSeconds);

    [Theory]
    [InlineData("/ci/out", "--ResultsDirectory:out")]
    [InlineData("/else/out", "/resultsdirectory:/else/out")]
    [InlineData("/ci/last", "--ResultsDirectory", "first", "--resultsDirectory:last")]
    [InlineData("/ci/TestResults", "ResultsDirectory:out", "--ResultsDirectory")]
    [InlineData("/ci/TestResults")]
    public void Results_go_where_the_runner_puts_them(string folder, params string[] words) => Assert.Equal(folder, new ConsoleRunner(["exec", "vstest.console.dll", .. words], "/ci").ResultsFolder);

    [Theory]
    [InlineData("<Configuration><HangTimeout>90s</HangTimeout><Tool> /opt/tool </Tool></Configuration>", 90.0, "/opt/tool", false)]
    [InlineData("<Configuration><HangTimeout>soon</HangTimeout></Configuration>", 300.0, null, true)]
    [InlineData("<Configuration />", 300.0, null, false)]
    [InlineData("<Configuration><HangTimeout>", 300.0, null, false)]
    [InlineData(null, 300.0, null, false)]
    public void Settings_of_a_collector_are_read(string? text, double seconds, string? tool, bool isWrong)
    {
        CollectorSettings settings = CollectorSettings.Of(text, new ConsoleRunner([], "/ci"));
        Assert.Equal((seconds, tool, isWrong), (settings.Limit.TotalSeconds, settings.Tool, settings.Wrong is not null));
    }

    [Fact]
    public void Tests_that_began_together_are_named_together()
    {
        var tests = new RunningTests(At(10));
        tests.Begin("1", "first", At(0));
        tests.Begin("2", "second", At(0.8));
        tests.Begin("3", "third", At(3));
        Assert.Equal(["first", "second"], tests.Overdue(At(10))!.Names);
        Assert.Null(tests.Overdue(At(11)));
        Assert.Equal(["first", "second", "third"], tests.Overdue(At(13))!.Names);
    }

    [Fact]
    public void A_controller_hears_of_tests_with_any_name()
    {
        HungTests? late = null;
        using var told = new ManualResetEventSlim();
        using var watch = new TestWatch(TimeSpan.FromMilliseconds(1), hung =>
        {
            late = hung;
            told.Set();
        });
        string name = "Shop.Tests.Pays(text: \"a b\n+c\t\u20ac\")";
        foreach (string line in (string[])[TestFeed.Begin("1 +", name), TestFeed.Begin("2", "ended"), TestFeed.End("2"), "", "?", "+1", "- "])
            TestFeed.Take(line, watch);
        watch.Start();
        Assert.True(told.Wait(TimeSpan.FromMinutes(1), TestContext.Current.CancellationToken));
        Assert.Equal([name], late!.Names);
    }

    [Theory]
    [InlineData("Shop.Tests.Pays", "Shop.Tests.Pays()", true)]
    [InlineData("Shop.Tests.Pays", "Shop.Tests.Pays.lambda()", true)]
    [InlineData("Shop.Tests.Pays(id: 7)", "Shop.Tests.Pays(int)", true)]
    [InlineData("Shop.Tests+Inner.Pays", "Shop.Tests.Inner.Pays<int>()", true)]
    [InlineData("Shop.Tests.Pays", "Shop.Tests.PaysTwice()", false)]
    [InlineData("Shop.Tests.Pays", "Other.Shop.Tests.Pays()", false)]
    [InlineData("a.*b", "axb()", false)]
    [InlineData("", "Shop.Tests.Pays()", false)]
    public void Frames_are_those_of_the_method(string test, string method, bool isOwn) => Assert.Equal(isOwn, HungTest.Frames([new(test)]).Matches(method));

    [Fact]
    public void Annotations_cannot_be_broken_by_names()
    {
        Func<string, string?> github = name => name switch { "GITHUB_ACTIONS" => "true", "GITHUB_WORKSPACE" => "/w/", _ => null }, azure = name => name == "TF_BUILD" ? "True" : null;
        Assert.Equal("::error file=src/a.cs,line=3,title=test hangs::x%0A::error::y", CiAnnotation.Of(true, "/w/src/a.cs", 3, "x\n::error::y", github));
        Assert.Equal("::warning file=/q/a%2Cline%3D9%3A%3A.cs,line=3,title=test hangs::%25", CiAnnotation.Of(false, "/q/a,line=9::.cs", 3, "%", github)!.Replace("line=9", "line%3D9", StringComparison.Ordinal));
        Assert.Equal("##vso[task.logissue type=error;sourcepath=a%5D%3B.cs;linenumber=3]b%0Ac", CiAnnotation.Of(true, "a];.cs", 3, "b\nc", azure));
        Assert.Null(CiAnnotation.Of(true, "a.cs", 3, "b", _ => null));
        // A folder beside the checkout, and what a deterministic build writes.
        Assert.Equal("::error file=/where/a.cs,line=3,title=test hangs::b", CiAnnotation.Of(true, "/where/a.cs", 3, "b", name => name switch { "GITHUB_ACTIONS" => "true", "GITHUB_WORKSPACE" => "/w", _ => null }));
        Assert.Equal("::error file=src/a.cs,line=3,title=test hangs::b", CiAnnotation.Of(true, "/_/src/a.cs", 3, "b", github));
    }

    [Fact]
    public void An_annotation_belongs_to_the_innermost_frame_of_the_checkout()
    {
        using var folder = new TemporaryFolder();
        File.WriteAllText(folder.PathOf("Orders.cs"), "");
        LogicalFrame[] frames = [Frame("/_/src/Package.cs") with { IsFramework = true }, Frame("/_/src/Polly/Retry.cs"), Frame(folder.PathOf("Orders.cs")), Frame(folder.PathOf("Gone.cs")), Frame(null)];
        Assert.Equal(frames[2], CiAnnotation.PlaceIn(frames, name => name == "GITHUB_WORKSPACE" ? folder.Path : null));
        Assert.Equal(frames[1], CiAnnotation.PlaceIn(frames, _ => null));
        Assert.Null(CiAnnotation.PlaceIn([frames[0], frames[4]], _ => null));

        static LogicalFrame Frame(string? file) => new() { Kind = FrameKind.StateMachine, Method = "Shop.M()", File = file, Line = file is null ? null : 3 };
    }
}
