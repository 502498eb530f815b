using System.Text.Json;
using Async2.Analysis;
using Async2.Analysis.Query;
using Async2.Tests.Support;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Integration;

/// <summary>Labels as debuggers and SOS show them, with what a snapshot file was told to keep: a query is in none that was masked, a path in none that was redacted.</summary>
[Trait("Category", "Integration")]
public sealed class LabelFaceTests
{
    private const string Query = "card=4711";

    [Theory]
    [InlineData("Web")]
    [InlineData("Web.Classic")]
    public void Each_face_says_for_whom_stacks_work(string build)
    {
        using ScenarioProcess process = ScenarioProcess.Start(build == "Web" ? ScenarioBuild.Web : ScenarioBuild.WebClassic, ["default", "1"]);
        TruthRequest order = process.Truth.Requests!.First(request => request is { Handler: "OrderAsync", Query: "?" + Query });
        string masked = $"GET {order.Path}?...", pid = $"{process.Pid}";
        CheckSos(pid, order, masked);
        using var folder = new TemporaryFolder();
        foreach ((string option, string request) in new[] { ("", masked), ("--show-values", $"GET {order.Path}?{Query}"), ("--redact", "GET <redacted>") })
        {
            string file = folder.PathOf($"web{option}.async2snap");
            Assert.Equal(0, ToolRun.Of(["snapshot", pid, "-o", file, .. option.Length == 0 ? (string[])[] : [option]]).ExitCode);
            CheckDap(file, order, request);
            CheckFile(file, order, option);
        }
    }

    private static void CheckSos(string pid, TruthRequest order, string masked)
    {
        string[] said = new SosHost().Run(pid, "dumpasync2 --request " + order.Path, "dumpasync2 --trace " + order.Trace[..12], "dumpasync2 --label Tenant=" + order.Tenant, "dumpasync2 --request " + order.Path + " --json", "dumpasync2 --group-by route");
        // The line under the header, in one piece or broken.
        Assert.All(said[1..4], text => Assert.Contains($"{masked}, trace {order.Trace}, ", text.ReplaceLineEndings(" "), StringComparison.Ordinal));
        Assert.All(said[1..5], text => Assert.DoesNotContain(Query, text, StringComparison.Ordinal));
        JsonElement stack = Assert.Single(JsonDocument.Parse(said[4]).RootElement.GetProperty("stacks").EnumerateArray());
        Assert.Equal(masked, stack.GetProperty("labels").GetProperty("request").GetString());
        Assert.Contains($"GET {order.Route}", said[5], StringComparison.Ordinal);
    }

    private static void CheckDap(string file, TruthRequest order, string request)
    {
        using DapClient client = DapClient.OfTool().Stop(new { dumpPath = file });
        JsonElement found = client.Call("async2/stacks", new { query = "trace:" + order.Trace });
        Assert.Equal(1, found.GetProperty("total").GetInt32());
        string[] names = [.. client.Call("threads").GetProperty("threads").EnumerateArray().Select(thread => thread.GetProperty("name").GetString()!)];
        Assert.Contains(names, name => name.Contains("Shop.OrderAsync - ", StringComparison.Ordinal) && name.EndsWith(" - " + request, StringComparison.Ordinal));
        Assert.Equal(request.Contains(Query, StringComparison.Ordinal), names.Any(name => name.Contains(Query, StringComparison.Ordinal)));
    }

    private static void CheckFile(string file, TruthRequest order, string option)
    {
        StackView view = SnapshotFile.Read(file).Ask(new AnalysisOptions { Coalesce = false, Values = Async2.Analysis.Model.Labels.ShownValues.All }, TestContext.Current.CancellationToken);
        string values = string.Join('\n', view.Stacks.SelectMany(stack => stack.Labels).Select(label => label.Value));
        Assert.Equal(option == "--show-values", values.Contains(Query, StringComparison.Ordinal));
        Assert.Equal(option != "--redact", values.Contains(order.Path + "?", StringComparison.Ordinal) && values.Contains("order ", StringComparison.Ordinal));
        Assert.Contains(order.Trace, values, StringComparison.Ordinal);
    }
}
