using System.Text.Json.Nodes;
using Async2.Analysis;
using Async2.Analysis.Model;
using Async2.Analysis.Query;
using Async2.Analysis.Rendering;
using Async2.Tests.Support;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Integration.Situations;

/// <summary>
/// Connections on which nothing happens are counted in one line. What only looks like them is not: a request that waits for its body
/// or the rest of its head, and a client that does not read.
/// </summary>
[Trait("Category", "Integration")]
public sealed class IdleLoopTests
{
    // Requests of dumps/Server's "requests", a connection each.
    private const int Requests = 9;
    private const int Floods = 2;

    [Theory]
    [MemberData(nameof(ServerSituation.Builds), MemberType = typeof(ServerSituation))]
    public void A_server_without_requests_has_nothing_but_idle_loops(string build)
    {
        using ServerSituation server = ServerSituation.Start(build, "idle");
        StackView snapshot = server.Look();
        Assert.All(snapshot.Stacks, stack => Assert.NotNull(stack.Idle));
        Assert.Equal(Expected(server, requests: 0, floods: 0), Counts(snapshot));
        Assert.Equal(snapshot.Totals.Stacks, snapshot.Totals.Idle);
        string text = ServerSituation.Text(snapshot);
        Assert.StartsWith($"{snapshot.Totals.Idle} idle loops, and no other stack\n", text);
        Assert.DoesNotContain("DoReceive", text);
    }

    [Theory]
    [MemberData(nameof(ServerSituation.Builds), MemberType = typeof(ServerSituation))]
    public void Requests_that_wait_are_not_idle(string build)
    {
        using ServerSituation server = ServerSituation.Start(build, "requests");
        StackView snapshot = server.Look();
        Assert.Equal(Expected(server, Requests, Floods), Counts(snapshot));
        LogicalStack[] busy = [.. snapshot.Stacks.Where(stack => stack.Idle is null)];
        // A stack for each request, and for each client that does not read the send and the flush behind it.
        Assert.True(busy.Length == Requests + (2 * Floods), ServerSituation.Text(snapshot));
        Assert.Equal(2, server.AllAt(snapshot, "slow").Length);
        foreach (string mark in (string[])["other", "named", "body", "flood"])
            Assert.Null(server.At(snapshot, mark).Idle);
        Assert.Equal(Floods, busy.Count(stack => stack.WaitingOn?.Text == "Socket send" && stack.WaitingOn.Kind == WaitKind.Socket));
        Assert.Equal(WaitKind.Pipe, server.At(snapshot, "body").WaitingOn?.Kind);
        StackView frames = server.Look(new AnalysisOptions { Coalesce = false, IncludeFramework = true });
        Assert.Equal(Counts(snapshot), Counts(frames));
        Assert.Single(frames.Stacks, stack => stack.Idle is null && stack.Frames[0].Name == "ProcessRequests");
        Assert.Single(frames.Stacks, stack => stack.Idle is null && stack.Frames.Any(f => f.Name == "ReadFromJsonAsync"));
    }

    [Fact]
    public void Idle_loops_can_be_found()
    {
        using ServerSituation server = ServerSituation.Start("Server", "requests");
        StackView snapshot = server.Look(new AnalysisOptions());
        string text = ServerSituation.Text(snapshot);
        // Nobody opens the program's gate, which may be said before.
        Assert.Matches(@"(?m)^\d+ stacks .*; and \d+ idle loops$", text);
        Assert.Contains($"idle loops not shown: {Connections(server) + Requests} Kestrel receive", text);
        Assert.DoesNotContain("DoReceive", text);
        Assert.Contains("DoReceive", ServerSituation.Text(snapshot, new RenderOptions { ShowIdle = true }));
        Assert.Contains("DoReceive", ServerSituation.Text(server.Look(new AnalysisOptions { Query = new StackQuery { Method = TextPattern.Parse("--method", "DoReceive") } })));
        JsonNode json = JsonNode.Parse(ServerSituation.Text(snapshot, format: "json"))!;
        Assert.Equal(snapshot.Totals.Idle, (long)json["totals"]!["idle"]!);
        JsonNode[] receives = [.. json["stacks"]!.AsArray().OfType<JsonNode>().Where(s => (string?)s["idle"] == "Kestrel receive")];
        Assert.Equal(Connections(server) + Requests, receives.Sum(s => (int?)s["count"] ?? 1));
        Assert.All(receives, s => Assert.Equal("socket", (string?)s["waitingOn"]!["kind"]));
        Assert.Null(json["stacks"]![0]!["idle"]);
    }

    [Fact]
    public void A_host_of_SOS_gets_one_line_for_them()
    {
        using ServerSituation server = ServerSituation.Start("Server", "requests");
        using var folder = new TemporaryFolder();
        string dump = folder.PathOf("server.dmp");
        ProgramDump.Write(server.Pid, dump);
        // Of the dump, not of a look before it: a connection may be served by a thread in one of the two moments.
        long idle = WholeAnswer.Of(dump, new AnalysisOptions { Coalesce = false }).Totals.Idle;
        string[] said = new SosHost().Run(dump, "dumpasync2", "dumpasync2 --coalesce", "dumpasync2 --type DoReceive");
        foreach (string text in said[^3..^1])
        {
            Assert.Matches($@"\.\.\. {idle} idle loops not shown: \d+ Kestrel receive, .* \(filters and --json show them\)", text);
            Assert.DoesNotContain("DoReceive", text);
            Assert.DoesNotContain("more stack", text);
        }
        Assert.Contains("DoReceive", said[^1]);
        Assert.DoesNotContain("not shown", said[^1]);
    }

    private static int Connections(ServerSituation server) => server.Truth.Where(mark => mark.Key.StartsWith("idle ", StringComparison.Ordinal)).Sum(mark => mark.Value);

    private static Dictionary<string, int> Expected(ServerSituation server, int requests, int floods)
    {
        int http2 = server.Truth["idle http2"], hubs = server.Truth["idle hubs"], all = Connections(server) + requests;
        return new()
        {
            ["Kestrel accept"] = 3,
            ["Kestrel receive"] = all,
            ["Kestrel send"] = all - floods,
            ["HTTP/1.1 keep-alive"] = server.Truth["idle new"] + server.Truth["idle kept alive"] + server.Truth["idle tls"],
            ["HTTP/2 keep-alive"] = http2,
            ["HTTP/2 receive"] = http2,
            ["HTTP/2 send"] = http2,
            ["SignalR connection"] = 2 * hubs,
            ["SignalR dispatch"] = hubs,
            ["SignalR timer"] = 1,
            ["WebSocket receive"] = hubs,
            ["WebSocket send"] = hubs,
        };
    }

    private static Dictionary<string, int> Counts(StackView snapshot)
        => snapshot.Stacks.Where(stack => stack.Idle is not null).GroupBy(stack => stack.Idle!).ToDictionary(loop => loop.Key, loop => loop.Count());
}
