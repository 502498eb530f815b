using Async2.Analysis.Model;
using Async2.Analysis.Model.Graph;
using Async2.Tests.Support;
using Async2.Tests.Support.Drawing;

namespace Async2.Tests.Graph;

/// <summary>Every edge that a drawing has is in the graph with how it is known, in both directions, and no other.</summary>
public sealed class ModelGraphTests
{
    [Theory]
    [InlineData("t1 ThunkTask -> c1 ; c1 Continuation Shop.Pay:1 -> end ; t1 awaitedBy t2 ; t2 ThunkTask -> c2 ; c2 Continuation Shop.Main:2 -> end",
        "Main Awaits Pay (ContinuationObject)")]
    [InlineData("t1 ThunkTask -> c1 ; c1 Continuation Shop.Pay:1 -> end ; t2 ThunkTask -> c2 ; c2 Continuation [Await] -> c3 ; c3 Continuation Shop.Main:2 -> end ; c2 awaits t1",
        "Main Awaits Pay (SavedAwaiter)")]
    [InlineData("w1 WhenAll ; w1 awaitedBy t2 ; t1 ThunkTask -> c1 ; c1 Continuation Shop.Pay:1 -> end ; t1 awaitedBy w1 ; t2 ThunkTask -> c2 ; c2 Continuation Shop.Main:2 -> end",
        "Main Awaits Combinator (ContinuationObject)", "Pay PartOf Combinator (ContinuationObject)")]
    [InlineData("t1 ThunkTask -> c1 ; c1 Continuation Shop.Pay:1 -> end ; x1 Thread 7 Shop.Wait:3 ; x1 blocksOn t1",
        "frames of Wait BlockedOn Pay (ThreadStack)", "frames of Wait RunsOn thread (ThreadStack)")]
    [InlineData("t1 ThunkTask -> c1 ; c1 Continuation Shop.Pay:1 -> end ; x1 Thread 7 Shop.Spin:3 ; x1 runsIn t1 c1 ; x2 Thread 7 Shop.Run:1",
        "an operation RunsOn frames of Spin (ThreadStack)", "frames of Run Awaits frames of Spin (ThreadStack)", "frames of Run RunsOn thread (ThreadStack)", "frames of Spin RunsOn thread (ThreadStack)")]
    [InlineData("p1 Task ; x1 Thread 7 Shop.Work:3 ; x1 runs p1 ; p1 awaitedBy t2 ; t2 ThunkTask -> c2 ; c2 Continuation Shop.Main:2 -> end",
        "Main Awaits frames of Work (ContinuationObject)", "frames of Work RunsOn thread (ThreadStack)")]
    [InlineData("t1 ThunkTask -> c1 ; c1 Continuation [Delay] -> c2 ; c2 Continuation Shop.Pay:1 -> end ; c1 awaits Delay proven ; c1 endedBy timer",
        "Pay CompletedBy Timer (Field)")]
    [InlineData("t1 ThunkTask -> c1 ; c1 Continuation [Await] -> c2 ; c2 Continuation Shop.Pay:1 -> end ; c1 awaits Promise proven",
        "Pay BlockedOn Task Promise (SavedAwaiter)")]
    [InlineData("x1 Thread 7 Shop.A:1 ; x1 wants 9 of lock ; x2 Thread 9 Shop.B:1",
        "Lock HeldBy thread (OwnerRecord)", "frames of A BlockedOn Lock (ThreadStack)", "frames of A RunsOn thread (ThreadStack)", "frames of B RunsOn thread (ThreadStack)")]
    [InlineData("x1 Thread 7 Shop.A:1 ; x1 wants 9 ; x2 Thread 9 Shop.B:1",
        "frames of A BlockedOn thread (OwnerRecord)", "frames of A RunsOn thread (ThreadStack)", "frames of B RunsOn thread (ThreadStack)")]
    [InlineData("t1 ThunkTask -> c1 ; c1 Continuation Shop.Pay:1 -> end ; t1 resumesOn 7 ; x1 Thread 7 Shop.Loop:3",
        "Pay ResumesOn Ui (WorkQueue)", "Ui RunsOn thread (Field)", "frames of Loop RunsOn thread (ThreadStack)")]
    [InlineData("t1 ThunkTask -> c1 ; c1 Continuation Shop.Pay:1 -> end ; t1 awaitedBy t1", "Pay Awaits Pay (ContinuationObject)")]
    public void An_edge_says_how_it_is_known(string drawing, params string[] edges)
    {
        AsyncModel model = ModelOf(drawing);
        Assert.Equal(edges, GraphText.Of(model));
        AssertIsTheSameBothWays(model);
    }

    // What closes a cycle is not an await: the lock, who holds it, and what that one waits for say it.
    [Fact]
    public void A_cycle_over_threads_has_edges_of_known_facts()
    {
        AsyncModel model = ModelOf("x1 Thread 7 Shop.A:1 ; x1 wants 9 of lock ; x2 Thread 9 Shop.B:1 ; x2 wants 7");
        Assert.Equal(
            ["Lock HeldBy thread (OwnerRecord)", "frames of A BlockedOn Lock (ThreadStack)", "frames of A RunsOn thread (ThreadStack)", "frames of B BlockedOn thread (OwnerRecord)", "frames of B RunsOn thread (ThreadStack)"],
            GraphText.Of(model));
        Assert.Equal(StackState.Deadlocked, model.Stacks.Rows[0].State);
        AssertIsTheSameBothWays(model);
    }

    [Fact]
    public void Nodes_are_found_by_address_and_by_thread()
    {
        AsyncModel model = ModelOf("t1 ThunkTask -> c1 ; c1 Continuation Shop.Pay:1 -> end ; x1 Thread 7 Shop.A:1 ; x1 wants 9 of lock ; x2 Thread 9 Shop.B:1");
        ModelGraph graph = model.Graph;
        GraphNode held = graph[graph.Find(TextHeap.LockAddress)], thread = graph[graph.FindThread(9)];
        Assert.Equal((AsyncNodeKind.Resource, WaitKind.Lock, TextHeap.LockAddress), (held.Kind, held.ResourceKind, held.Address));
        Assert.Equal((AsyncNodeKind.Thread, 9), (thread.Kind, thread.Thread));
        Assert.Equal(StackState.Blocked, graph[graph.FindThread(7)].State);
        Assert.Equal([new Edge(held.Number, thread.Number, EdgeKind.HeldBy, EdgeSource.OwnerRecord)], graph.EdgesFrom(held.Number));
        Assert.Equal((-1, -1, -1), (graph.Find(0), graph.Find(0x1234), graph.FindThread(3)));
        Assert.All(Enumerable.Range(0, graph.Count), node => Assert.Equal(node, graph[node].Number));
    }

    // A host keeps a model and answers several requests at once.
    [Fact]
    public void Several_threads_ask_one_model_and_get_the_same_answers()
    {
        const int Chains = 400;
        string drawing = string.Join(" ; ", Enumerable.Range(1, Chains).Select(i => $"t{i} ThunkTask -> c{i} ; c{i} Continuation Shop.Pay{i}:1 -> end" + (i % 10 == 0 ? $" ; t{i - 1} awaitedBy t{i}" : "")));
        string expected = Answers(ModelOf(drawing));
        for (int round = 0; round < 60; round++)
        {
            AsyncModel model = ModelOf(drawing);
            using var together = new Barrier(4);
            string[] answers = new string[together.ParticipantCount];
            Thread[] threads = [.. answers.Select((_, i) => new Thread(() =>
            {
                together.SignalAndWait();
                try
                {
                    answers[i] = Answers(model);
                }
                catch (Exception e)
                {
                    answers[i] = e.ToString();
                }
            }))];
            Array.ForEach(threads, thread => thread.Start());
            Array.ForEach(threads, thread => thread.Join());
            Assert.All(answers, answer => Assert.Equal(expected, answer));
        }
    }

    private static string Answers(AsyncModel model)
        => string.Join('\n', Enumerable.Range(0, model.StackCount).Select(model.KeyOf))
            + string.Join('\n', Enumerable.Range(0, model.Graph.Count).Select(node => string.Join(',', model.Graph.EdgesTo(node)) + string.Join(',', model.Graph.EdgesFrom(node))));

    private static AsyncModel ModelOf(string drawing)
    {
        TextHeap heap = TextHeap.Draw(drawing);
        return DrawnModel.Of(heap.Input with { AllThreads = true }, heap, heap.Problems);
    }

    private static void AssertIsTheSameBothWays(AsyncModel model)
        => Assert.Equal(
            GraphText.Edges(model).OrderBy(edge => (edge.From, edge.To, edge.Kind)),
            Enumerable.Range(0, model.Graph.Count).SelectMany(model.Graph.EdgesTo).OrderBy(edge => (edge.From, edge.To, edge.Kind)));
}
