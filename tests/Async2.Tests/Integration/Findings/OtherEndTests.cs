using System.Net;
using System.Net.Sockets;
using Async2.Analysis.Model;
using Async2.Analysis.Targets.Processes;
using Async2.Tests.Integration.Situations;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Integration.Findings;

/// <summary>Connections of which both ends are in one process: live, the system tells which they are, and whether something is under way.</summary>
[Trait("Category", "Integration")]
public sealed class OtherEndTests
{
    public static TheoryData<string> Builds => ["Situations", "Situations.Classic"];

    [Theory]
    [MemberData(nameof(Builds))]
    public void Where_both_wait_to_receive_the_other_one_is_named(string build)
    {
        Situation found = Situation.Look(build, "talkingSilent");
        Finding finding = Assert.Single(found.Findings);
        Assert.Equal(("slow-dependency", Severity.Info), (finding.Rule, finding.Severity));
        Assert.Matches(@"^1 stack waits for \S+:\d+ to send something.*; Talking\.AnswerAsync \(Talking\.cs:\d+\), at the other end, waits to receive as well, and nothing is under way$", finding.Text);
        Assert.Equal([found.LineOf("answer"), found.LineOf("request")], finding.Evidence.Select(step => step.Line).Order().Reverse());
        Assert.Equal(2, found.Stacks.Count(stack => stack.WaitingOn?.FullText?.Contains("other end in this process", StringComparison.Ordinal) == true));
    }

    [Theory]
    [MemberData(nameof(Builds))]
    public void Where_both_wait_until_what_they_send_is_taken_nothing_goes_on(string build)
    {
        Situation found = Situation.Look(build, "talkingFull");
        Finding finding = Assert.Single(found.Findings);
        Assert.Equal(("deadlock", Confidence.Possible, 2), (finding.Rule, finding.Confidence, finding.Blocked));
        Assert.Matches(@"^Talking\.\w+ \(Talking\.cs:\d+\) waits until what it sends is taken, and Talking\.\w+ \(Talking\.cs:\d+\), at the other end, waits for the same: ", finding.Text);
        Assert.Equal([found.LineOf("echo"), found.LineOf("send")], finding.Evidence.Select(step => step.Line).Order());
    }

    [Theory]
    [MemberData(nameof(Builds))]
    public void Where_one_is_at_work_the_other_end_is_not_named(string build)
    {
        Situation found = Situation.Look(build, "talkingSlow");
        Assert.DoesNotContain("other end", Assert.Single(found.Findings).Text, StringComparison.Ordinal);
    }

    [Fact]
    public void What_is_under_way_or_of_other_processes_is_not_a_pair()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        using Socket client = new(SocketType.Stream, ProtocolType.Tcp), lone = new(SocketType.Stream, ProtocolType.Tcp);
        client.Connect(listener.LocalEndpoint);
        using Socket server = listener.AcceptSocket();
        SocketError error;
        int one = (int)client.Handle, other = (int)server.Handle;
        var all = new TcpConnections(Environment.ProcessId);
        Assert.Equal(new Dictionary<int, int> { [one] = other, [other] = one }, all.Between([one, other, (int)lone.Handle]));
        Assert.Empty(all.Between([one, (int)lone.Handle]));
        server.Send([1]);
        Assert.Empty(all.Between([one, other]));
        client.Receive(new byte[1]);
        Assert.Equal(2, all.Between([one, other]).Count);
        // One that takes nothing is not enough: both have to have something.
        byte[] much = new byte[1 << 16];
        client.Blocking = server.Blocking = false;
        Fill(server);
        Assert.Empty(all.Between([one, other], areFull: true));
        Fill(client);
        ProcessFacts.WaitUntil(() => all.Between([one, other], areFull: true).Count == 2, "both ends are full");
        Assert.Empty(all.Between([one, other]));

        void Fill(Socket end)
        {
            do
                end.Send(much, SocketFlags.None, out error);
            while (error == SocketError.Success);
        }
    }
}
