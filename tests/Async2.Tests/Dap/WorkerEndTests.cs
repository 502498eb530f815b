using Async2.Tests.Support.Programs;

namespace Async2.Tests.Dap;

/// <summary>The process behind the adapter may die at any moment, or never answer: the client gets its answers either way.</summary>
[Trait("Category", "Integration")]
[Collection(DumpCollection.Name)]
public sealed class WorkerEndTests(ScenarioDump dump)
{
    [Fact]
    public void When_the_worker_dies_every_request_is_answered_and_the_session_ends_in_order()
    {
        using DapClient client = DapClient.OfTool().Stop(new { dumpPath = dump.Path });
        int reader = Reader(client);
        // It cannot answer any more, so these are waiting when it dies.
        ProcessFacts.Signal(reader, "STOP");
        int[] waiting = [client.Send("threads"), client.Send("stackTrace", new { threadId = 1 })];
        ProcessFacts.Signal(reader, "KILL");
        foreach (int request in waiting)
        {
            (string text, bool isForUser) = client.Error(request);
            Assert.Contains($"'{dump.Path}' could not be read: the worker process was killed", text, StringComparison.Ordinal);
            Assert.False(isForUser);
        }
        client.Event("terminated");
        Assert.Contains("the worker process was killed", client.Console, StringComparison.Ordinal);
        Assert.Contains("the worker process was killed", client.Fail("scopes", new { frameId = 1 }).Text, StringComparison.Ordinal);
        client.Disconnect();
        Assert.Equal(3, client.Process!.ExitCode);
    }

    [Fact]
    public void When_it_dies_while_a_target_is_opened_the_user_gets_an_error()
    {
        using DapClient client = DapClient.OfTool();
        client.Call("initialize");
        int reader = Reader(client);
        ProcessFacts.Signal(reader, "STOP");
        int launch = client.Send("launch", new { dumpPath = dump.Path });
        ProcessFacts.Signal(reader, "KILL");
        (string text, bool isForUser) = client.Error(launch);
        Assert.Contains("the worker process was killed", text, StringComparison.Ordinal);
        Assert.True(isForUser);
        client.Event("terminated");
        client.Disconnect();
    }

    [Fact]
    public void A_client_can_disconnect_from_a_worker_that_does_not_answer()
    {
        using DapClient client = DapClient.OfTool().Stop(new { dumpPath = dump.Path });
        int reader = Reader(client);
        ProcessFacts.Signal(reader, "STOP");
        int waiting = client.Send("threads");
        client.Disconnect();
        Assert.Equal(("cancelled", false), client.Error(waiting));
        Assert.Equal(0, client.Process!.ExitCode);
        Assert.Null(ProcessFacts.Status(reader, "State"));
    }

    [Fact]
    public void No_process_is_left_when_the_adapter_is_killed()
    {
        using DapClient client = DapClient.OfTool().Stop(new { dumpPath = dump.Path });
        int reader = Reader(client);
        ProcessFacts.Signal(client.Process!.Id, "KILL");
        Assert.True(SpinWait.SpinUntil(() => ProcessFacts.Status(reader, "State") is null or ['Z', ..], TimeSpan.FromSeconds(10)), "the reader lives on");
    }

    private static int Reader(DapClient client) => Assert.Single(ProcessFacts.Children(client.Process!.Id));
}
