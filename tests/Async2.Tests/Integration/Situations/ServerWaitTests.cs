using Async2.Analysis;
using Async2.Analysis.Model;
using Async2.Analysis.Query;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Integration.Situations;

/// <summary>Waits of real servers and libraries say what they are about: pools, hosts, SQL, commands, blocks, bodies; and handlers their route.</summary>
[Trait("Category", "Integration")]
public sealed class ServerWaitTests
{
    private static readonly AnalysisOptions WithLocals = new() { Coalesce = false, Locals = true };

    [Theory]
    [MemberData(nameof(ServerSituation.Builds), MemberType = typeof(ServerSituation))]
    public void Handlers_say_which_route_they_are(string build)
    {
        using ServerSituation server = ServerSituation.Start(build, "requests");
        StackView snapshot = server.Look();
        Assert.All(server.AllAt(snapshot, "slow"), stack => Assert.Equal("GET /slow/{id}", Assert.Single(stack.Frames, f => f.Endpoint is not null).Endpoint));
        Assert.Equal("GET /other", Assert.Single(server.At(snapshot, "other").Frames, f => f.Endpoint is not null).Endpoint);
        Assert.Equal("POST /body", Assert.Single(server.At(snapshot, "body").Frames, f => f.Endpoint is not null).Endpoint);
        Assert.Equal("GET, HEAD /named", Assert.Single(server.At(snapshot, "named").Frames, f => f.Endpoint is not null).Endpoint);
        string text = ServerSituation.Text(snapshot);
        Assert.Contains("[GET /slow/{id}]", text);
        Assert.Contains("GET /slow/{id}", ServerSituation.Text(snapshot, format: "json"));
        StackView found = server.Look(new AnalysisOptions { Query = new StackQuery { With = [TextPattern.Parse("--with", "/slow/")] } });
        Assert.Equal(2, found.Matching?.Totals.Stacks);
    }

    [Theory]
    [MemberData(nameof(ServerSituation.Builds), MemberType = typeof(ServerSituation))]
    public void A_pool_of_http_connections_names_host_and_limit(string build)
    {
        using ServerSituation server = ServerSituation.Start(build, "httpPool");
        StackView snapshot = server.Look();
        LogicalStack[] all = [.. server.AllAt(snapshot, "get")], waiting = [.. all.Where(s => s.WaitingOn?.Kind == WaitKind.Pool)];
        Assert.Equal(5, all.Length);
        Assert.Equal(
            from place in (string[])["1st", "2nd", "3rd"] select $"HTTP connection, localhost:{server.Truth["port"]}, 2 of 2 in use, 3 waiting, {place} in the queue",
            waiting.Select(s => s.WaitingOn!.FullText).Order(StringComparer.Ordinal));
        Assert.All(all.Except(waiting), s => Assert.Matches($@"^Socket receive, from \[::ffff:127\.0\.0\.1\]:{server.Truth["port"]}$", s.WaitingOn?.FullText));
    }

    [Theory]
    [MemberData(nameof(ServerSituation.Builds), MemberType = typeof(ServerSituation))]
    public void A_request_on_http2_names_its_host(string build)
    {
        using ServerSituation server = ServerSituation.Start(build, "http2");
        StackView snapshot = server.Look();
        LogicalStack[] stacks = [.. server.AllAt(snapshot, "get")];
        Assert.Equal(3, stacks.Length);
        Assert.All(stacks, s => Assert.Equal($"HTTP/2 response, from localhost:{server.Truth["port"]}, GET, 3 streams", s.WaitingOn?.FullText));
        Assert.Equal(WaitKind.Socket, stacks[0].WaitingOn?.Kind);
        Assert.Single(snapshot.Stacks, s => s.Idle == "HttpClient HTTP/2 receive");
        Assert.Single(snapshot.Stacks, s => s.Idle == "HttpClient HTTP/2 send");
    }

    [Theory]
    [MemberData(nameof(ServerSituation.Builds), MemberType = typeof(ServerSituation))]
    public void Npgsql_names_its_pool_and_the_sql(string build)
    {
        using DatabaseServer database = DatabaseServer.StartPostgres();
        using ServerSituation server = ServerSituation.Start(build, "npgsql", database.Where);
        StackView snapshot = server.Look();
        LogicalStack[] queries = [.. server.AllAt(snapshot, "query")], waiting = [.. server.AllAt(snapshot, "open")];
        Assert.Equal(2, queries.Length);
        Assert.All(queries, s => Assert.Matches(@"^Socket receive, from /\S+, SQL select pg_sleep\(100000\), \.\.\.(, token not cancelled)?$", s.WaitingOn?.FullText));
        Assert.Equal(3, waiting.Length);
        Assert.All(waiting, s => Assert.Equal(WaitKind.Pool, s.WaitingOn?.Kind));
        Assert.Matches(
            @"^Npgsql connection, \S+, 2 of 2 in use, 3 waiting, held by 2 x select pg_sleep\(100000\), \.\.\., 1st in the queue",
            waiting.Select(s => s.WaitingOn!.FullText).Order(StringComparer.Ordinal).First(t => t.Contains("1st")));
        StackView whole = server.Look(WithLocals);
        Assert.All(server.AllAt(whole, "query"), s => Assert.Contains("SQL select pg_sleep(100000),\n  'the second line'", s.WaitingOn?.FullText));
    }

    [Theory]
    [MemberData(nameof(ServerSituation.Builds), MemberType = typeof(ServerSituation))]
    public void Redis_names_command_and_host(string build)
    {
        using DatabaseServer database = DatabaseServer.StartRedis();
        using ServerSituation server = ServerSituation.Start(build, "redis", database.Where);
        StackView snapshot = server.Look();
        Assert.Matches($@"^Redis GET, on {database.Where}, \d+\w\w without an answer$", server.At(snapshot, "get").WaitingOn?.FullText);
        Assert.Matches($@"^Redis LPUSH, on {database.Where}, \d+\w\w without an answer$", server.At(snapshot, "push").WaitingOn?.FullText);
        Assert.Equal(WaitKind.Socket, server.At(snapshot, "push").WaitingOn?.Kind);
    }

    [Theory]
    [MemberData(nameof(ServerSituation.Builds), MemberType = typeof(ServerSituation))]
    public void A_rate_limiter_says_what_is_free_and_who_waits(string build)
    {
        using ServerSituation server = ServerSituation.Start(build, "limits");
        StackView snapshot = server.Look();
        LogicalStack[] entering = [.. server.AllAt(snapshot, "enter")];
        Assert.Equal(
            from place in (string[])["1st", "2nd", "3rd"] select $"ConcurrencyLimiter, {server.Truth["ovens free"]} of 2 free, {server.Truth["ovens waiting"]} waiting, {place} in the queue",
            entering.Select(s => s.WaitingOn!.FullText).Order(StringComparer.Ordinal));
        Assert.All(entering, s => Assert.Equal(WaitKind.Semaphore, s.WaitingOn?.Kind));
        string till = $"TokenBucketRateLimiter, {server.Truth["till free"]} of 5 free, 2 waiting, every 10 min";
        Assert.Equal(5, server.Truth["till wanted"]);
        Assert.Equal($"{till}, 3 wanted, 2nd in the queue", server.At(snapshot, "take first").WaitingOn?.FullText);
        Assert.Equal($"{till}, 2 wanted, 1st in the queue", server.At(snapshot, "take last").WaitingOn?.FullText);
    }

    [Theory]
    [MemberData(nameof(ServerSituation.Builds), MemberType = typeof(ServerSituation))]
    public void Bodies_of_ForEachAsync_are_joined_to_their_caller(string build)
    {
        using ServerSituation server = ServerSituation.Start(build, "forEach");
        StackView snapshot = server.Look();
        LogicalStack import = server.At(snapshot, "import"), other = server.At(snapshot, "other");
        LogicalStack[] bodies = [.. snapshot.Stacks.Where(s => s.AwaitedBy.Contains(import.Id))];
        Assert.Equal(3, bodies.Length);
        Assert.All(bodies, s => Assert.Contains(s.Frames, f => f.Name == "StoreAsync"));
        Assert.Equal("Parallel.ForEachAsync", import.WaitingOn?.Text);
        Assert.Contains("3 workers running", import.WaitingOn?.Detail);
        Assert.Equal(bodies.Select(s => s.Id).Order(StringComparer.Ordinal), import.WaitingOn?.Pending.Order(StringComparer.Ordinal));
        Assert.Equal(2, snapshot.Stacks.Count(s => s.AwaitedBy.Contains(other.Id)));
        Assert.Equal(7, snapshot.Stacks.Count(s => s.Thread is null));
    }

    [Theory]
    [MemberData(nameof(ServerSituation.Builds), MemberType = typeof(ServerSituation))]
    public void Dataflow_blocks_are_named(string build)
    {
        using ServerSituation server = ServerSituation.Start(build, "dataflow");
        StackView snapshot = server.Look();
        Assert.Equal("ActionBlock<int> completion, 5 queued, 2 running", server.At(snapshot, "completion").WaitingOn?.FullText);
        Assert.Equal("BufferBlock<string> send, 1 of 1 items, linked to nothing", server.At(snapshot, "send").WaitingOn?.FullText);
        Assert.Equal("BufferBlock<Guid> receive, 0 queued", server.At(snapshot, "receive").WaitingOn?.FullText);
        Assert.Equal(2, server.AllAt(snapshot, "work").Length);
    }

    [Theory]
    [MemberData(nameof(ServerSituation.Builds), MemberType = typeof(ServerSituation))]
    public void Observables_are_named(string build)
    {
        using ServerSituation server = ServerSituation.Start(build, "rx");
        StackView snapshot = server.Look();
        Assert.StartsWith("AsyncSubject<int>", server.At(snapshot, "last").WaitingOn?.FullText);
        Assert.Equal("IObservable.ToTask, from FirstAsync", server.At(snapshot, "first").WaitingOn?.FullText);
    }
}
