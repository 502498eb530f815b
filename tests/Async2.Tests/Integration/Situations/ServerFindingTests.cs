using Async2.Analysis;
using Async2.Analysis.Model;
using Async2.Analysis.Query;
using Async2.Tests.Support;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Integration.Situations;

/// <summary>What is wrong with web servers, and what is not: a healthy one is looked at again and again while it has much to do.</summary>
[Trait("Category", "Integration")]
public sealed class ServerFindingTests
{
    private const int Looks = 50;

    [Fact]
    public void A_server_whose_workers_all_block_is_starved()
    {
        using ServerSituation server = ServerSituation.Start("Server", "starved");
        // In the live process threads are added all the time, and the DAC may crash on their stacks (A2D1016): numbers of the pool are enough to find it.
        Finding live = Assert.Single(server.Look().Findings, finding => finding.Rule == "starvation");
        Assert.Equal(Severity.Error, live.Severity);
        using var folder = new TemporaryFolder();
        string dump = folder.PathOf("starved.dmp");
        ProgramDump.Write(server.Pid, dump);
        StackView found = WholeAnswer.Of(dump, new AnalysisOptions());
        Finding starved = Assert.Single(found.Findings, finding => finding.Rule == "starvation"), blocks = Assert.Single(found.Findings, finding => finding.Rule == "sync-over-async");
        Assert.Equal((Severity.Error, Severity.Error, Confidence.Certain), (starved.Severity, blocks.Severity, blocks.Confidence));
        Assert.InRange(starved.Confidence, Confidence.Likely, Confidence.Certain);
        Assert.Contains(blocks.Evidence, step => step.Line == server.Truth["block"]);
    }

    [Theory]
    [MemberData(nameof(ServerSituation.Builds), MemberType = typeof(ServerSituation))]
    public void A_pool_of_http_connections_without_a_free_one_names_host_and_limit(string build)
    {
        using ServerSituation server = ServerSituation.Start(build, "httpPool");
        Finding finding = Assert.Single(server.Look().Findings, finding => finding.Severity > Severity.Info);
        // How long they have waited decides: load looks alike.
        Assert.Equal(("exhausted-pool", 3), (finding.Rule, finding.Blocked));
        Assert.NotEqual(Confidence.Certain, finding.Confidence);
        Assert.Equal($"all 2 HTTP connections to localhost:{server.Truth["port"]} are in use and 3 stacks wait for one", finding.Text);
    }

    [Theory]
    [MemberData(nameof(ServerSituation.Builds), MemberType = typeof(ServerSituation))]
    public void A_call_of_a_hub_that_keeps_the_next_of_its_client_waiting_is_named(string build)
    {
        using ServerSituation server = ServerSituation.Start(build, "hubCalls");
        int clients = server.Truth["hub clients"];
        string place = $"Desk.ReserveAsync (HubCalls.cs:{server.Truth["reserve"]})";
        foreach (StackView view in server.LookTwice())
        {
            Finding finding = Assert.Single(view.Findings);
            Assert.Equal(("exhausted-pool", Severity.Info, Confidence.Certain, clients), (finding.Rule, finding.Severity, finding.Confidence, finding.Blocked));
            Assert.Equal($"calls of {clients} SignalR clients, and all that they send behind them, wait until {place} is done", finding.Text);
            Assert.Equal(server.Truth["reserve"], Assert.Single(finding.Evidence).Line);
            Assert.Equal(clients, view.Stacks.Count(stack => stack.WaitingOn is { Text: "SignalR calls of a client" } on && on.Detail == $"0 of 1 free, 1 waiting; held by 1: {place}"));
            Assert.Equal(clients, server.AllAt(view, "reserve").Length);
        }
    }

    [Theory]
    [MemberData(nameof(ServerSituation.Builds), MemberType = typeof(ServerSituation))]
    public void Calls_of_a_hub_that_are_executed_side_by_side_are_not_a_finding(string build)
    {
        using ServerSituation server = ServerSituation.Start(build, "hubCalls", "parallel");
        StackView view = server.Look();
        Assert.Empty(view.Findings);
        Assert.Equal(server.Truth["hub clients"], server.AllAt(view, "confirm").Length);
    }

    [Theory]
    [MemberData(nameof(ServerSituation.Builds), MemberType = typeof(ServerSituation))]
    public void Requests_that_lock_each_other_out_are_found_in_a_server_that_answers_others(string build)
    {
        using ServerSituation server = ServerSituation.Start(build, "orders");
        Finding finding = Assert.Single(server.Look().Findings, finding => finding.Severity > Severity.Info);
        Assert.Equal(("deadlock", Severity.Error), (finding.Rule, finding.Severity));
        Assert.InRange(finding.Confidence, Confidence.Likely, Confidence.Certain);
        Assert.Equal([server.Truth["order waits for the stock"], server.Truth["refund waits for the till"]], finding.Evidence.Select(step => step.Line).OfType<int>().Where(server.Truth.Values.Contains).Distinct().Order());
        // The two, and the five orders behind them.
        Assert.Equal(7, finding.Blocked);
    }

    [Theory]
    [MemberData(nameof(ServerSituation.Builds), MemberType = typeof(ServerSituation))]
    public void A_pool_of_database_connections_without_a_free_one_names_the_sql_that_holds_it(string build)
    {
        using DatabaseServer database = DatabaseServer.StartPostgres();
        using ServerSituation server = ServerSituation.Start(build, "npgsql", database.Where);
        Finding finding = Assert.Single(server.Look().Findings, finding => finding.Severity > Severity.Info);
        // How long they have waited decides: load looks alike.
        Assert.Equal(("exhausted-pool", 3), (finding.Rule, finding.Blocked));
        Assert.NotEqual(Confidence.Certain, finding.Confidence);
        Assert.Matches(@"^all 2 Npgsql connections to \S+ are in use and 3 stacks wait for one$", finding.Text);
        Assert.Contains(finding.Evidence, step => step.Text == "2 connections are held by select pg_sleep(100000), ...");
        Assert.Contains(finding.Evidence, step => step.Line == server.Truth["open"]);
    }

    [Theory]
    [MemberData(nameof(ServerSituation.Builds), MemberType = typeof(ServerSituation))]
    public void Leases_that_an_exception_has_lost_are_found_and_those_that_are_held_are_not(string build)
    {
        using ServerSituation server = ServerSituation.Start(build, "lostLeases");
        // That they have failed is said, too.
        Finding finding = Assert.Single(server.Look().Findings, finding => finding is { Severity: > Severity.Info, Confidence: > Confidence.Possible });
        Assert.Equal(("lock-never-released", 3), (finding.Rule, finding.Blocked));
        Assert.Contains(finding.Evidence, step => step.Line == server.Truth["send"]);
    }

    [Theory]
    [MemberData(nameof(ServerSituation.Builds), MemberType = typeof(ServerSituation))]
    public void A_block_that_is_full_of_its_own_items_is_found_and_one_that_works_is_not(string build)
    {
        using ServerSituation server = ServerSituation.Start(build, "crawler");
        Finding finding = Assert.Single(server.Look().Findings, finding => finding.Severity > Severity.Info);
        Assert.Equal(("deadlock", Confidence.Likely, 2), (finding.Rule, finding.Confidence, finding.Blocked));
        Assert.Contains(finding.Evidence, step => step.Line == server.Truth["visit"]);
    }

    [Theory]
    [MemberData(nameof(ServerSituation.Builds), MemberType = typeof(ServerSituation))]
    public void Services_that_have_ended_are_missed_and_those_that_are_busy_or_to_come_are_not(string build)
    {
        using ServerSituation server = ServerSituation.Start(build, "services");
        StackView view = server.Look();
        // Where nobody answers, and where nobody reads: that one has failed says why.
        ILookup<Confidence, Finding> orphans = view.Findings.Where(finding => finding.Rule == "orphan").ToLookup(finding => finding.Confidence);
        Finding orphan = Assert.Single(orphans[Confidence.Possible]), lost = Assert.Single(view.Findings, finding => finding.Rule == "lost");
        Assert.Equal((Severity.Warning, Confidence.Possible, 1, server.Truth["ask"]), (orphan.Severity, orphan.Confidence, orphan.Blocked, orphan.Evidence[0].Line));
        Assert.Equal((Severity.Warning, Confidence.Possible, 1, server.Truth["parse"]), (lost.Severity, lost.Confidence, lost.Blocked, lost.Evidence[0].Line));
        Assert.Matches(@"^Ledger\.BookAsync \(Services\.cs:\d+\) has failed with FormatException ""The input string 'n/a' was not in a correct format\."", and only the host has heard of it; 1 stack waits for `Ledger\._payments`$", lost.Text);
        Assert.Contains(lost.Evidence, step => step.Line == server.Truth["pay"]);
        // And who has a limiter that does not fill up by itself, and waits for it.
        Finding limiter = Assert.Single(orphans[Confidence.Certain]);
        Assert.Equal((Severity.Error, 1, server.Truth["limit"]), (limiter.Severity, limiter.Blocked, limiter.Evidence[0].Line));
        Assert.Equal(3, view.Findings.Count(finding => finding.Severity > Severity.Info));
    }

    [Theory]
    [MemberData(nameof(ServerSituation.Builds), MemberType = typeof(ServerSituation))]
    public void Methods_that_were_made_at_run_time_hide_nothing(string build)
    {
        using ServerSituation server = ServerSituation.Start(build, "controllers");
        // MVC has delegates of them; the runtime's data access library crashes when it is asked for one.
        StackView view = server.Look();
        Assert.DoesNotContain(view.Problems, problem => problem.Code is ProblemCodes.ThreadsLeftOut or ProblemCodes.ReadAgain);
        Assert.Single(server.AllAt(view, "parcel"));
        // In the other build MVC loads a library that completes promises of any type, perhaps this one too.
        var orphan = view.Findings.Where(finding => finding.Severity > Severity.Info).Select(finding => (finding.Rule, finding.Confidence, finding.Blocked, finding.Evidence[0].Line)).ToArray();
        Assert.Equal(build == "Server" ? [("orphan", Confidence.Possible, 1, server.Truth["parcel"])] : [], orphan);
    }

    [Theory]
    [InlineData("Server", "background", "slow")]
    [InlineData("Server.Classic", "background", "slow")]
    [InlineData("Server", "own", "ownSlow")]
    [InlineData("Server.Classic", "own", "ownSlow")]
    public void A_service_that_waits_for_one_that_is_started_after_it_never_starts(string build, string after, string before)
    {
        using (ServerSituation server = ServerSituation.Start(build, "startup", after))
        {
            Finding finding = Assert.Single(server.Look().Findings, finding => finding.Severity > Severity.Info);
            Assert.Equal(("deadlock", Confidence.Possible, 1), (finding.Rule, finding.Confidence, finding.Blocked));
            Assert.Matches(@"^Host\.StartAsync .*, in Rates\.FirstAsync \(Startups\.cs:\d+\), waits for .*, which only a service completes that the host has not started yet, or a callback of ApplicationStarted, as far as code tells$", finding.Text);
            Assert.Contains(finding.Evidence, step => step.Line == server.Truth["first"]);
        }
        // Started before it, and slow.
        using ServerSituation slow = ServerSituation.Start(build, "startup", before);
        Assert.Empty(slow.Look().Findings.Where(finding => finding.Severity > Severity.Info).Select(finding => finding.Text));
    }

    [Theory]
    [InlineData("Server", "loop", "stop", @"^the host is stopping, and waits for Unloading\.StopAsync \(Stops\.cs:\d+\)")]
    [InlineData("Server.Classic", "loop", "stop", @"^the host is stopping, and waits for Unloading\.StopAsync \(Stops\.cs:\d+\)")]
    [InlineData("Server", "background", "weigh", @"^the host is stopping, and waits for Weighing\.ExecuteAsync \(Stops\.cs:\d+\)")]
    [InlineData("Server.Classic", "background", "weigh", @"^the host is stopping, and waits for Weighing\.ExecuteAsync \(Stops\.cs:\d+\)")]
    [InlineData("Server", "slow", "warm", @"^the host has not started yet, and waits for Warming\.StartAsync \(Stops\.cs:\d+\)")]
    [InlineData("Server.Classic", "slow", "warm", @"^the host has not started yet, and waits for Warming\.StartAsync \(Stops\.cs:\d+\)")]
    public void The_service_that_a_host_waits_for_has_its_name_in_a_finding(string build, string way, string mark, string text)
    {
        using ServerSituation server = ServerSituation.Start(build, "stops", way);
        Finding finding = Assert.Single(server.Look().Findings);
        Assert.Equal(("slow-dependency", Severity.Info, Confidence.Certain, 1), (finding.Rule, finding.Severity, finding.Confidence, finding.Blocked));
        Assert.Matches(text, finding.Text);
        Assert.Contains($"(Stops.cs:{server.Truth[mark]})", finding.Text, StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(ServerSituation.Builds), MemberType = typeof(ServerSituation))]
    public void Requests_that_a_stopping_host_waits_for_are_named(string build)
    {
        foreach ((string way, string mark, string method, Severity severity) in new[] { ("requests", "feed", "FeedAsync", Severity.Warning), ("requestsSlow", "slow", "FeedSlowlyAsync", Severity.Info) })
        {
            using ServerSituation server = ServerSituation.Start(build, "stops", way);
            Finding finding = Assert.Single(server.Look().Findings);
            Assert.Equal(("slow-dependency", severity, severity == Severity.Info ? Confidence.Certain : Confidence.Possible), (finding.Rule, finding.Severity, finding.Confidence));
            Assert.Matches($@"^the host is stopping, and waits until 1 request is done[^:]*: Stops\.{method} \(Stops\.cs:{server.Truth[mark]}\)$", finding.Text);
        }
    }

    [Theory]
    [InlineData("hostRun")]
    [InlineData("idle")]
    public void A_server_that_is_well_is_not_accused(string situation)
    {
        using ServerSituation server = ServerSituation.Start("Server", situation);
        Assert.Empty(server.Look().Findings.Where(finding => finding.Severity > Severity.Info).Select(finding => finding.Text));
    }

    [Fact]
    public void A_server_under_load_is_not_accused_in_fifty_looks()
    {
        using ServerSituation server = ServerSituation.Start("Server", "loaded");
        var accused = new List<string>();
        for (int i = 0; i < Looks; i++)
            accused.AddRange(server.Look().Findings.Where(finding => finding.Severity > Severity.Info).Select(finding => $"{finding.Rule} {finding.Confidence} {finding.Text}"));
        Assert.Empty(accused);
    }
}
