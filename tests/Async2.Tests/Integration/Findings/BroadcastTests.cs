using Async2.Analysis.Model;
using Async2.Analysis.Query;
using Async2.Tests.Integration.Situations;

namespace Async2.Tests.Integration.Findings;

/// <summary>One client that does not read holds up all where a lock is held while it is sent to, in both builds, live and from a dump; where each has a queue of its own, it does not.</summary>
[Trait("Category", "Integration")]
public sealed class BroadcastTests
{
    public static TheoryData<string, string, string> Held => new(from build in (string[])["Server", "Server.Classic"] from way in (string[])["held", "plain"] select (build, way, way == "held" ? "broadcast" : "send"));

    [Theory]
    [MemberData(nameof(Held))]
    public void Who_sends_while_holding_a_lock_is_named_with_the_client_that_does_not_read(string build, string way, string leaf)
    {
        using ServerSituation server = ServerSituation.Start(build, "broadcasts", way);
        foreach (StackView view in server.LookTwice())
        {
            Finding finding = Assert.Single(view.Findings, finding => finding.Severity > Severity.Info);
            Assert.Equal(("slow-dependency", Severity.Warning, Confidence.Possible), (finding.Rule, finding.Severity, finding.Confidence));
            string port = Assert.Single(view.Stacks, stack => stack.WaitingOn?.FullText.StartsWith("Socket send, ", StringComparison.Ordinal) == true).WaitingOn!.FullText.Split(':')[^1];
            Assert.Equal($"Broadcasts.BroadcastAsync (Broadcasts.cs:{server.Truth["broadcast"]}) holds `Broadcasts.Gate`, for which 1 stack waits, and waits until 127.0.0.1:{port} takes what is sent", finding.Text);
            // Who waits for it.
            Assert.Equal(1, finding.Blocked);
            Assert.Contains(finding.Evidence, step => step.Line == server.Truth["join"]);
            // What waits for a promise of the server's says what it is for.
            LogicalStack sender = Assert.Single(view.Stacks, stack => stack.Frames.Any(frame => frame.Line == server.Truth[leaf]));
            Assert.Matches(way == "held" ? $@"^Pipe flush, to 127\.0\.0\.1:{port}, [0-9]+ bytes buffered, goes on below [0-9]+, reader open$" : $@"^Socket send, 127\.0\.0\.1:[0-9]+ -> 127\.0\.0\.1:{port}$", sender.WaitingOn!.FullText);
        }
    }

    [Theory]
    [MemberData(nameof(ServerSituation.Builds), MemberType = typeof(ServerSituation))]
    public void A_client_that_only_holds_up_itself_is_no_warning(string build)
    {
        using ServerSituation server = ServerSituation.Start(build, "broadcasts", "queued");
        foreach (StackView view in server.LookTwice())
        {
            Assert.DoesNotContain(view.Findings, finding => finding.Severity > Severity.Info);
            Assert.Contains(view.Stacks, stack => stack.WaitingOn?.FullText.StartsWith("Pipe flush, to 127.0.0.1:", StringComparison.Ordinal) == true);
        }
    }
}
