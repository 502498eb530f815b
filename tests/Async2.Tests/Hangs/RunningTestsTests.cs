using Async2.Dump.Hangs;
using Async2.Testing;

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
    [InlineData("5", null)]
    [InlineData("-5s", null)]
    [InlineData("0s", null)]
    [InlineData("1e9s", null)]
    [InlineData("99999h", null)]
    [InlineData("s", null)]
    [InlineData("", null)]
    public void Times_have_units(string text, double? seconds) => Assert.Equal(seconds, HangTime.Parse(text)?.TotalSeconds);

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
    }
}
