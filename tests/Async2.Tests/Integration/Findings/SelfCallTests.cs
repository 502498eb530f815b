using Async2.Analysis.Model;
using Async2.Analysis.Query;
using Async2.Tests.Integration.Situations;

namespace Async2.Tests.Integration.Findings;

/// <summary>A server that sends requests to itself: who waits for the answer waits for the method that handles the request. Both builds, live and from a dump.</summary>
[Trait("Category", "Integration")]
public sealed class SelfCallTests
{
    // Over HTTP/2 all requests share a connection.
    [Theory]
    [InlineData("Server", "quota")]
    [InlineData("Server.Classic", "quota")]
    [InlineData("Server", "quota2")]
    [InlineData("Server.Classic", "quota2")]
    public void A_request_for_what_its_sender_holds_is_a_deadlock(string build, string argument)
    {
        using ServerSituation server = ServerSituation.Start(build, "selfCalls", argument);
        foreach (StackView view in server.LookTwice())
        {
            Finding finding = Assert.Single(view.Findings, finding => finding.Severity > Severity.Info);
            // The client of the outer request hangs on it, too.
            Assert.Equal(("deadlock", Confidence.Likely, 3), (finding.Rule, finding.Confidence, finding.Blocked));
            // Where a cycle begins depends on addresses.
            Assert.Matches(@"holds `SelfCalls\.Slots` and, in SelfCalls\.AskAsync \(SelfCalls\.cs:\d+\), waits for the HTTP answer of \S+ \(SelfCalls\.cs:\d+\)", finding.Text);
            Assert.Contains(finding.Evidence, step => step.Line == server.Truth["price"]);
            // A program that answers itself does not depend on another one.
            Assert.DoesNotContain(view.Findings, other => other.Rule == "slow-dependency");
        }
    }

    [Theory]
    [MemberData(nameof(ServerSituation.Builds), MemberType = typeof(ServerSituation))]
    public void So_is_one_that_the_limit_of_the_server_keeps_out_while_its_sender_is_inside(string build)
    {
        using ServerSituation server = ServerSituation.Start(build, "selfCalls", "limited");
        foreach (StackView view in server.LookTwice())
        {
            Finding finding = Assert.Single(view.Findings, finding => finding.Severity > Severity.Info);
            // Another request waits for the limit, and so do the clients of both.
            Assert.Equal(("deadlock", Confidence.Likely), (finding.Rule, finding.Confidence));
            Assert.Matches(@"holds the \S*ConcurrencyLimiter \S+ and, in SelfCalls\.AskAsync \(SelfCalls\.cs:\d+\), waits for the HTTP answer of", finding.Text);
            Assert.Contains(finding.Evidence, step => step.Line == server.Truth["ask"]);
        }
    }

    [Theory]
    [MemberData(nameof(ServerSituation.Builds), MemberType = typeof(ServerSituation))]
    public void A_start_that_asks_for_what_comes_when_it_has_ended_is_a_deadlock(string build)
    {
        using ServerSituation server = ServerSituation.Start(build, "selfCalls", "start");
        foreach (StackView view in server.LookTwice())
        {
            Finding finding = Assert.Single(view.Findings, finding => finding.Severity > Severity.Info);
            Assert.Equal(("deadlock", Confidence.Possible), (finding.Rule, finding.Confidence));
            Assert.Matches(@"waits for the HTTP answer of .*, which only a service completes that the host has not started yet, or a callback of ApplicationStarted, as far as code tells$", finding.Text);
            Assert.Contains(finding.Evidence, step => step.Line == server.Truth["announce"]);
            Assert.Contains(finding.Evidence, step => step.Line == server.Truth["state"]);
        }
    }

    [Theory]
    [InlineData("Server", "slow")]
    [InlineData("Server.Classic", "slow")]
    [InlineData("Server", "limitedSlow")]
    [InlineData("Server.Classic", "limitedSlow")]
    public void A_request_that_takes_long_is_not(string build, string argument)
    {
        using ServerSituation server = ServerSituation.Start(build, "selfCalls", argument);
        foreach (StackView view in server.LookTwice())
            Assert.DoesNotContain(view.Findings, finding => finding.Severity > Severity.Info);
    }

    [Theory]
    [MemberData(nameof(ServerSituation.Builds), MemberType = typeof(ServerSituation))]
    public void A_request_that_nothing_can_answer_is_an_error_though_nobody_in_the_process_waits_for_it(string build)
    {
        using ServerSituation server = ServerSituation.Start(build, "selfCalls", "lost");
        foreach (StackView view in server.LookTwice())
        {
            Finding finding = Assert.Single(view.Findings, finding => finding.Severity > Severity.Info);
            Assert.Equal(("orphan", Severity.Error, Confidence.Certain, server.Truth["lost"]), (finding.Rule, finding.Severity, finding.Confidence, finding.Evidence[0].Line));
        }
    }
}
