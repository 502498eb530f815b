using Async2.Analysis;
using Async2.Analysis.Model.Labels;
using Async2.Analysis.Query;
using Async2.Tests.Support;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Integration;

/// <summary>
/// The web sample: each stack of a request has the method, path, trace and tenant that its client sent, whatever the server has switched on, over HTTP/1.1 and
/// HTTP/2, on connections and streams that were used before; and requests that ended are on none.
/// </summary>
[Trait("Category", "Integration")]
public sealed class WebLabelTests(ITestOutputHelper output)
{
    public static TheoryData<string, string, string> Servers
        => [.. from build in (string[])["Web", "Web.Classic"] from mode in WebTruth.Modes from tiered in (string[])["1", "0"] select new TheoryDataRow<string, string, string>(build, mode, tiered)];

    [Theory]
    [MemberData(nameof(Servers))]
    public void Each_stack_of_a_request_says_what_its_client_sent(string build, string mode, string tiered)
    {
        using ScenarioProcess process = Start(build, mode, tiered);
        StackView view = WholeAnswer.Of($"{process.Pid}", new AnalysisOptions { Coalesce = false, Values = ShownValues.All });
        WebTruth.Check(process.Truth, view, mode);
        output.WriteLine($"{build} {mode} TieredCompilation={tiered}: {process.Truth.Requests!.Sum(request => request.Stacks)} stacks of {process.Truth.Requests!.Count} requests right, {process.Truth.Ended!.Count + process.Truth.Left!.Count} ended");
    }

    [Theory]
    [InlineData("Web", "default", "1")]
    [InlineData("Web.Classic", "default", "1")]
    [InlineData("Web", "listener", "0")]
    [InlineData("Web.Classic", "none", "0")]
    public void A_dump_and_a_snapshot_say_the_same(string build, string mode, string tiered)
    {
        using ScenarioProcess process = Start(build, mode, tiered);
        using var folder = new TemporaryFolder();
        string dump = folder.PathOf("web.dmp"), snapshot = folder.PathOf("web.async2snap"), redacted = folder.PathOf("redacted.async2snap");
        ToolRun collected = ToolRun.Of("dump", "collect", $"{process.Pid}", "-o", dump);
        Assert.True(collected.ExitCode == 0, collected.Output + collected.Error);
        WebTruth.Check(process.Truth, WholeAnswer.Of(dump, new AnalysisOptions { Coalesce = false, Values = ShownValues.All }), mode);
        Assert.Equal(0, ToolRun.Of("snapshot", dump, "-o", snapshot, "--show-values").ExitCode);
        SavedSnapshot saved = SnapshotFile.Read(snapshot);
        WebTruth.Check(process.Truth, saved.Ask(new AnalysisOptions { Coalesce = false }, TestContext.Current.CancellationToken), mode);
        Assert.Equal(0, ToolRun.Of("snapshot", dump, "-o", redacted, "--redact").ExitCode);
        string all = string.Join('\n', SnapshotFile.Read(redacted).Ask(new AnalysisOptions { Coalesce = false }, TestContext.Current.CancellationToken).Stacks.SelectMany(stack => stack.Labels).Select(label => label.Value));
        Assert.Contains("GET <redacted>", all, StringComparison.Ordinal);
        Assert.All(process.Truth.Requests!, request => Assert.DoesNotContain(request.Path + request.Query, all.Replace(request.Route, "", StringComparison.Ordinal), StringComparison.Ordinal));
    }

    [Fact]
    public void Filters_and_groups_find_requests()
    {
        using ScenarioProcess process = Start("Web", "none", "1");
        TruthRequest order = process.Truth.Requests!.First(request => request.Handler == "OrderAsync");
        string pid = $"{process.Pid}";
        ToolRun routes = ToolRun.Of(pid, "--group-by", "route"), one = ToolRun.Of(pid, "--request", order.Path), trace = ToolRun.Of(pid, "--trace", order.Trace);
        int orders = process.Truth.Requests!.Count(request => request.Route == order.Route);
        Assert.Contains($"== GET {order.Route}  {orders} stacks", routes.Output, StringComparison.Ordinal);
        // Those of HTTP/1.1 and those of HTTP/2 have other frames outside.
        Assert.Contains($"  GET {order.Route}, {orders / 2} requests", routes.Output.ReplaceLineEndings(" "), StringComparison.Ordinal);
        // The query is people's data.
        Assert.Contains($"GET {order.Path}?..., trace {order.Trace}", one.Output.ReplaceLineEndings(" "), StringComparison.Ordinal);
        Assert.DoesNotContain(order.Query, one.Output, StringComparison.Ordinal);
        Assert.Contains(order.Path + order.Query, ToolRun.Of(pid, "--request", order.Path, "--show-values").Output, StringComparison.Ordinal);
        Assert.DoesNotContain(order.Path, ToolRun.Of(pid, "--label", $"Tenant", "--redact").Output, StringComparison.Ordinal);
        Assert.Single(System.Text.RegularExpressions.Regex.Matches(trace.Output, "(?m)^1x  "));
        Assert.Equal(2, ToolRun.Of(pid, "--redact", "--show-values").ExitCode);
    }

    private static ScenarioProcess Start(string build, string mode, string tiered)
        => ScenarioProcess.Start(build == "Web" ? ScenarioBuild.Web : ScenarioBuild.WebClassic, [mode, "3"], ("DOTNET_TieredCompilation", tiered));
}
