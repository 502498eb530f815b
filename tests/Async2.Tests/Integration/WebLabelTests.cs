using Async2.Analysis;
using Async2.Analysis.Model;
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
    private static readonly string[] Modes = ["default", "none", "accessor", "listener"];

    public static TheoryData<string, string, string> Servers
        => [.. from build in (string[])["Web", "Web.Classic"] from mode in Modes from tiered in (string[])["1", "0"] select new TheoryDataRow<string, string, string>(build, mode, tiered)];

    [Theory]
    [MemberData(nameof(Servers))]
    public void Each_stack_of_a_request_says_what_its_client_sent(string build, string mode, string tiered)
    {
        using ScenarioProcess process = Start(build, mode, tiered);
        StackView view = WholeAnswer.Of($"{process.Pid}", new AnalysisOptions { Coalesce = false, Values = ShownValues.All });
        Check(process.Truth, view);
        output.WriteLine($"{build} {mode} TieredCompilation={tiered}: {process.Truth.Requests!.Sum(request => request.Stacks)} stacks of {process.Truth.Requests!.Count} requests right, {process.Truth.Ended!.Count + process.Truth.Left!.Count} ended");
    }

    [Theory]
    [InlineData("Web")]
    [InlineData("Web.Classic")]
    public void A_dump_and_a_snapshot_say_the_same(string build)
    {
        using ScenarioProcess process = Start(build, "default", "1");
        using var folder = new TemporaryFolder();
        string dump = folder.PathOf("web.dmp"), snapshot = folder.PathOf("web.async2snap"), redacted = folder.PathOf("redacted.async2snap");
        ToolRun collected = ToolRun.Of("dump", "collect", $"{process.Pid}", "-o", dump);
        Assert.True(collected.ExitCode == 0, collected.Output + collected.Error);
        Check(process.Truth, WholeAnswer.Of(dump, new AnalysisOptions { Coalesce = false, Values = ShownValues.All }));
        Assert.Equal(0, ToolRun.Of("snapshot", dump, "-o", snapshot, "--show-values").ExitCode);
        SavedSnapshot saved = SnapshotFile.Read(snapshot);
        Check(process.Truth, saved.Ask(new AnalysisOptions { Coalesce = false }, TestContext.Current.CancellationToken));
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

    private static void Check(Truth truth, StackView view)
    {
        IEnumerable<string> sent = truth.Requests!.SelectMany(request => Enumerable.Repeat($"{request.Method} {request.Path}{request.Query} {request.Route} {request.Trace} {request.Tenant}", request.Stacks));
        IEnumerable<string> said = view.Stacks.Where(stack => Value(stack, LabelNames.Request) is not null)
            .Select(stack => $"{Value(stack, LabelNames.Request)} {Value(stack, LabelNames.Route)} {Value(stack, LabelNames.Trace)} {Value(stack, "Shop.Tenant")}");
        Assert.Equal(sent.Order(StringComparer.Ordinal), said.Order(StringComparer.Ordinal));
        // The stack that a request stopped in is its own, and not another's of the same kind: the handler's id is in the path.
        foreach (TruthRequest request in truth.Requests!)
            Assert.Contains(view.Stacks, stack => stack.Frames.Any(frame => frame.Name == request.Handler) && Value(stack, LabelNames.Trace) == request.Trace);
        // Work that is left has what the program gave along, and no request or trace any more.
        LogicalStack[] left = [.. view.Stacks.Where(stack => stack.Frames.Any(frame => frame.Name == "SendMailAsync"))];
        Assert.Equal(truth.Left!.Select(request => request.Tenant).Order(StringComparer.Ordinal), left.Select(stack => Value(stack, "Shop.Tenant")!).Order(StringComparer.Ordinal));
        Assert.All(left, stack => Assert.True(Value(stack, LabelNames.Request) is null && Value(stack, LabelNames.Trace) is null));
        HashSet<string> over = [.. truth.Ended!.Concat(truth.Left!).Select(request => request.Trace)];
        Assert.All(view.Stacks.SelectMany(stack => stack.Labels), label => Assert.DoesNotContain(label.Value, over));
        Assert.All(view.Stacks.Where(stack => stack.Idle is not null), stack => Assert.Empty(stack.Labels));
        // Culture, and the request that a handler sends.
        Assert.All(view.Stacks.Where(stack => stack.Frames.Any(frame => frame.Name is "PayAsync" or "EmptyAsync")), stack => Assert.Equal("de-CH", Value(stack, LabelNames.Culture)));
        Assert.All(view.Stacks.Where(stack => stack.Frames.Any(frame => frame.Name == "OrderAsync")), stack => Assert.Matches(@"^GET http://127\.0\.0\.1:\d+/stock/\d+\?key=secret$", Value(stack, LabelNames.Call)));
    }

    private static string? Value(LogicalStack stack, string name) => stack.Labels.FirstOrDefault(label => label.Name == name)?.Value;
}
