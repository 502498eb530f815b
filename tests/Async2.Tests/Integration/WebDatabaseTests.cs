using Async2.Analysis;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Labels;
using Async2.Analysis.Query;
using Async2.Tests.Support;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Integration;

/// <summary>The web sample with PostgreSQL, Redis and SQLite: each stack that waits for one says its SQL or command and its server, and so does who waits for such stacks.</summary>
[Trait("Category", "Integration")]
public sealed class WebDatabaseTests(PostgresFixture postgres, ITestOutputHelper output) : IClassFixture<PostgresFixture>
{
    public static TheoryData<string, string> Servers => [.. from build in (string[])["Web", "Web.Classic"] from mode in WebTruth.Modes select new TheoryDataRow<string, string>(build, mode)];

    [Theory]
    [MemberData(nameof(Servers))]
    public void Each_stack_says_for_which_command_it_waits(string build, string mode)
    {
        // Each pauses its own.
        using DatabaseServer redis = DatabaseServer.StartRedis();
        using ScenarioProcess process = ScenarioProcess.Start(build == "Web" ? ScenarioBuild.Web : ScenarioBuild.WebClassic, [mode, "3", postgres.Where, redis.Where]);
        StackView view = WholeAnswer.Of($"{process.Pid}", new AnalysisOptions { Coalesce = false, Values = ShownValues.All });
        WebTruth.Check(process.Truth, view, mode);
        int invoices = 0, carts = 0;
        foreach (TruthRequest request in process.Truth.Requests!)
        {
            LogicalStack[] all = [.. view.Stacks.Where(stack => WebTruth.Value(stack, LabelNames.Trace) == request.Trace)];
            string id = request.Path.Split('/')[^1];
            if (request.Handler is "InvoiceAsync" or "TotalAsync")
                CheckInvoice(Assert.Single(all, stack => Has(stack, "InvoiceAsync")), id, invoices++);
            if (request.Handler is "CartAsync" or "TotalAsync")
                CheckCart(Assert.Single(all, stack => Has(stack, "CartAsync")), redis.Where, carts++);
            if (request.Handler is "Ledger" or "Balance")
                CheckLedger(Assert.Single(all), id);
            if (request.Handler == "Coupon")
                CheckCoupon(Assert.Single(all), redis.Where);
            if (request.Handler == "StockAsync")
                CheckStock(Assert.Single(all), id);
            if (request.Handler == "TotalAsync")
                CheckTotal(Assert.Single(all, stack => Has(stack, "TotalAsync")), id);
        }
        Assert.Equal((6, 6), (invoices, carts));
        // Threads that block are among them.
        Assert.Single(view.Findings, finding => finding.Text.StartsWith($"9 stacks wait for {redis.Where} to answer Redis GET", StringComparison.Ordinal));
        // So are statements that differ in their values only.
        Assert.Single(view.Findings, finding => finding.Text.StartsWith("12 stacks wait for ", StringComparison.Ordinal) && finding.Text.Contains(".s.PGSQL.5432 to answer select pg_sleep(?)", StringComparison.Ordinal));
        // Nobody else waits for a database.
        Assert.Equal((18, 12), (Count(view, LabelNames.Sql), Count(view, LabelNames.Command)));
        StackView redacted = WholeAnswer.Of($"{process.Pid}", new AnalysisOptions { Coalesce = false, Values = ShownValues.None });
        string said = string.Join('\n', redacted.Stacks.Select(stack => stack.WaitingOn?.FullText).Concat(redacted.Findings.Select(finding => finding.Text)));
        Assert.DoesNotMatch("select|PGSQL|stocks", said);
        output.WriteLine($"{build} {mode}: {invoices} stacks with their SQL, {carts} with their command, 3 callers with both; 0 wrong");
    }

    private static void CheckInvoice(LogicalStack stack, string id, int number)
    {
        Assert.Equal($"select pg_sleep(100000) -- invoice {id} ...", WebTruth.Value(stack, LabelNames.Sql));
        Assert.EndsWith(".s.PGSQL.5432", WebTruth.Value(stack, LabelNames.Host), StringComparison.Ordinal);
        Assert.True(WebTruth.Value(stack, LabelNames.Command) is null, $"{number}");
    }

    private static void CheckCart(LogicalStack stack, string redis, int number)
    {
        Assert.Equal(("GET", redis), (WebTruth.Value(stack, LabelNames.Command), WebTruth.Value(stack, LabelNames.Host)));
        Assert.True(WebTruth.Value(stack, LabelNames.Sql) is null, $"{number}");
    }

    // A thread waits in it, for the same as the others do without one.
    private static void CheckLedger(LogicalStack stack, string id)
    {
        Assert.Equal((StackState.Blocked, WaitKind.Socket), (stack.State, stack.WaitingOn?.Kind));
        Assert.Equal($"select pg_sleep(100000) -- ledger {id} ...", WebTruth.Value(stack, LabelNames.Sql));
        Assert.EndsWith(".s.PGSQL.5432", WebTruth.Value(stack, LabelNames.Host), StringComparison.Ordinal);
    }

    private static void CheckCoupon(LogicalStack stack, string redis)
    {
        Assert.Equal((StackState.Blocked, WaitKind.Socket, "GET", redis), (stack.State, stack.WaitingOn?.Kind, WebTruth.Value(stack, LabelNames.Command), WebTruth.Value(stack, LabelNames.Host)));
        Assert.Equal("Redis GET", stack.WaitingOn!.Text);
        Assert.StartsWith($"on {redis}, ", stack.WaitingOn.Detail, StringComparison.Ordinal);
    }

    // The thread sleeps between two tries.
    private static void CheckStock(LogicalStack stack, string id)
    {
        Assert.Equal((StackState.Blocked, WaitKind.Timer, "SQLite lock"), (stack.State, stack.WaitingOn?.Kind, stack.WaitingOn?.Text));
        Assert.Equal($"stocks, SQL select count(*) from stocks -- stock {id} ...", stack.WaitingOn!.Detail);
        Assert.Equal(($"select count(*) from stocks -- stock {id} ...", "stocks"), (WebTruth.Value(stack, LabelNames.Sql), WebTruth.Value(stack, LabelNames.Host)));
    }

    // It waits for both, on different servers.
    private static void CheckTotal(LogicalStack stack, string id)
    {
        Assert.Equal(($"select pg_sleep(100000) -- invoice {id} ...", "GET", null), (WebTruth.Value(stack, LabelNames.Sql), WebTruth.Value(stack, LabelNames.Command), WebTruth.Value(stack, LabelNames.Host)));
        Assert.All(stack.Labels.Where(label => label.Name is LabelNames.Sql or LabelNames.Command), label => Assert.Equal(LabelSource.Awaited, label.Source));
    }

    private static bool Has(LogicalStack stack, string method) => stack.Frames.Any(frame => frame.Name == method);

    private static int Count(StackView view, string label) => view.Stacks.Count(stack => WebTruth.Value(stack, label) is not null);
}

/// <summary>One PostgreSQL for all tests of a class.</summary>
public sealed class PostgresFixture : IDisposable
{
    private readonly Lazy<DatabaseServer> _server = new(DatabaseServer.StartPostgres);

    /// <summary>How it is reached; skips the test if it is not installed.</summary>
    public string Where => _server.Value.Where;

    public void Dispose()
    {
        if (_server.IsValueCreated)
            _server.Value.Dispose();
    }
}
