using System.Collections.Immutable;
using Async2.Analysis;
using Async2.Analysis.Model;
using Async2.Analysis.Query;
using Async2.Tests.Support;
using Async2.Tests.Support.Drawing;

namespace Async2.Tests.Stacks;

/// <summary>What each filter lets through of one heap: two equal orders, a packer, a chain with a framework's frames, a gate.</summary>
public sealed class FilterTests
{
    private const string Shop = """
        t1 ThunkTask -> a1 ; a1 Continuation [Await] -> a2 ; a2 Continuation Shop.Pay:17 -> a3 ; a3 Continuation Shop.Main:5 -> end
        t2 ThunkTask -> b1 ; b1 Continuation [Await] -> b2 ; b2 Continuation Shop.Pay:17 -> b3 ; b3 Continuation Shop.Main:5 -> end
        a1 awaits System.Threading.SemaphoreSlim+TaskNode ; b1 awaits System.Threading.SemaphoreSlim+TaskNode
        t3 ThunkTask -> c1 ; c1 Continuation Store.Pack:9 -> end ; t3 runs c1 on 7
        t4 ThunkTask -> d1 ; d1 Continuation {Net.Send} -> d2 ; d2 Continuation {Net.Retry} -> d3 ; d3 Continuation Mail.Notify:4 -> end
        t5 ThunkTask -> e1 ; e1 Continuation Gate.Open:1 -> end ; t5 awaitedBy f f2
        f ThunkTask -> f1 ; f1 Continuation Gate.First:2 -> end ; f2 ThunkTask -> g1 ; g1 Continuation Gate.Second:3 -> end
        """;

    private const string Orders = "s1 x2 awaiting SemaphoreSlim: Shop.Pay:17 < Shop.Main:5";
    private const string Packer = "s1 active on 7: Store.Pack";
    private const string Mailer = "s1 awaiting: +2 Mail.Notify:4";

    [Fact]
    public void Without_filters_everything_is_shown() => Assert.Equal("""
        s1 x2 awaiting SemaphoreSlim: Shop.Pay:17 < Shop.Main:5
        s2 awaiting: Gate.Open:1 < Gate.First:2
        s3 awaiting Task -> s2: Gate.Second:3
        s4 awaiting: +2 Mail.Notify:4
        s5 active on 7: Store.Pack
        """, TextHeap.Draw(Shop).Show());

    [Theory]
    [InlineData("pay", Orders)]
    [InlineData("^Store\\.", Packer)]
    [InlineData("Net.Retry", Mailer)]
    [InlineData("Await", "")]
    [InlineData("src/Pay", "")]
    [InlineData("nothing", "")]
    public void Method(string pattern, string stacks) => Sees(new() { Method = TextPattern.Parse("--method", pattern) }, stacks);

    [Theory]
    [InlineData("shop", Orders)]
    [InlineData("Shop.DLL", Orders)]
    [InlineData("Net", Mailer)]
    [InlineData("Sho", "")]
    public void Module(string name, string stacks) => Sees(new() { Module = name }, stacks);

    [Theory]
    [InlineData("ACTIVE", Packer)]
    [InlineData("blocked,completed", "")]
    [InlineData("blocked, active", Packer)]
    public void State(string words, string stacks) => Sees(new() { States = QueryValue.WordList<StackState>("--state", [words]) }, stacks);

    [Theory]
    [InlineData("semaphore", Orders)]
    [InlineData("TaskNode$", Orders)]
    [InlineData("Timer", "")]
    public void Waiting_on(string pattern, string stacks) => Sees(new() { WaitingOn = TextPattern.Parse("--waiting-on", pattern) }, stacks);

    [Theory]
    [InlineData(new[] { "Pay\\.cs:17$" }, new string[0], Orders)]
    [InlineData(new[] { "Pay", "Main.cs" }, new string[0], Orders)]
    [InlineData(new[] { "Pay", "Pack" }, new string[0], "")]
    [InlineData(new string[0], new[] { "Shop", "Gate", "Net" }, Packer)]
    [InlineData(new[] { "Main" }, new[] { "Pay" }, "")]
    public void With_and_without(string[] with, string[] without, string stacks) => Sees(new()
    {
        With = [.. with.Select(text => TextPattern.Parse("--with", text))],
        Without = [.. without.Select(text => TextPattern.Parse("--without", text))],
    }, stacks);

    [Theory]
    [InlineData("t2", "s1 awaiting SemaphoreSlim: Shop.Pay:17 < Shop.Main:5")]
    [InlineData("b3", "s1 awaiting SemaphoreSlim: Shop.Pay:17 < Shop.Main:5")]
    [InlineData("d2", Mailer)]
    [InlineData("t5", "s1 awaiting: Gate.Open:1 < Gate.First:2")]
    [InlineData("nowhere", "")]
    public void Address_finds_any_member_of_a_group_any_frame_and_any_task(string name, string stacks)
        => Sees(new() { Address = TextHeap.Draw(Shop).AddressOf(name) }, stacks);

    [Fact]
    public void Address_of_what_is_awaited() => Sees(new() { Address = 0xa0000 }, Orders);

    [Fact]
    public void A_member_of_a_group_is_shown_with_its_own_addresses()
    {
        var heap = TextHeap.Draw(Shop);
        LogicalStack stack = Assert.Single(heap.Stacks(new AnalysisOptions { Query = new() { Task = heap.AddressOf("t2") } }).Stacks);
        Assert.Equal((1, heap.AddressOf("t2"), heap.AddressOf("b2")), (stack.Count, stack.Task, stack.Frames[0].Address));
    }

    [Theory]
    [InlineData("t2", "s1 awaiting SemaphoreSlim: Shop.Pay:17 < Shop.Main:5")]
    [InlineData("t5", "s1 awaiting: Gate.Open:1 < Gate.First:2")]
    [InlineData("b3", "")]
    public void Task_is_one_of_the_stacks_own(string name, string stacks) => Sees(new() { Task = TextHeap.Draw(Shop).AddressOf(name) }, stacks);

    [Theory]
    [InlineData(7, Packer)]
    [InlineData(8, "")]
    public void Thread(int id, string stacks) => Sees(new() { Thread = id }, stacks);

    [Fact]
    public void A_stack_has_to_match_all_filters() => Sees(new() { Module = "Store", Thread = 8 }, "");

    [Fact]
    public void A_stack_that_is_not_shown_is_not_referred_to()
    {
        Sees(new() { Method = TextPattern.Parse("--method", "Second") }, "s1 awaiting Task: Gate.Second:3");
        Sees(new() { Method = TextPattern.Parse("--method", "Open|Second") }, "s1 awaiting: Gate.Open:1 < Gate.First:2\ns2 awaiting Task -> s1: Gate.Second:3");
        LogicalStack gate = Assert.Single(Draw(new() { Method = TextPattern.Parse("--method", "Open") }).Stacks);
        Assert.Empty(gate.AwaitedBy);
    }

    [Fact]
    public void Stacks_that_differ_only_in_hidden_frames_are_one() => Assert.Equal("s1 x2 awaiting Task: Shop.Main:2", TextHeap.Draw("""
        g1 ThunkTask -> a1 ; a1 Continuation Gate.A:1 -> end ; g1 awaitedBy f1 w1 ; g2 ThunkTask -> a2 ; a2 Continuation Gate.B:1 -> end ; g2 awaitedBy f2 w2
        f1 ThunkTask -> b1 ; b1 Continuation Gate.First:2 -> end ; w1 ThunkTask -> d1 ; d1 Continuation Shop.Main:2 -> end
        f2 ThunkTask -> b2 ; b2 Continuation Gate.First:2 -> end ; w2 ThunkTask -> d2 ; d2 Continuation Shop.Main:2 -> end
        """).Show(new AnalysisOptions { Query = new() { Module = "Shop" } }));

    [Fact]
    public void Totals_are_those_of_the_whole_target()
    {
        StackView found = Draw(new() { Module = "Shop" });
        Assert.Equal(TextHeap.Draw(Shop).Stacks().Totals, found.Totals);
        Assert.Equal(new MatchingTotals("--module Shop", new SnapshotTotals(2, 4, 1)), found.Matching);
        Assert.Null(TextHeap.Draw(Shop).Stacks().Matching);
    }

    private static StackView Draw(StackQuery query) => TextHeap.Draw(Shop).Stacks(new AnalysisOptions { Query = query });

    // What is asked for, and what is looked for in a whole answer, as a debug adapter does, are the same stacks.
    private static void Sees(StackQuery query, string stacks)
    {
        Assert.Equal(stacks, StackText.Of(Draw(query).Stacks, []));
        ImmutableArray<LogicalStack> read = TextHeap.Draw(Shop).Stacks(new AnalysisOptions { Query = query, Coalesce = false }).Stacks;
        StackView all = TextHeap.Draw(Shop).Stacks(new AnalysisOptions { Coalesce = false });
        ImmutableArray<int> found = new StackSearch { Query = query }.In(TextHeap.Draw(Shop).Model(), all, includeFramework: false, TestContext.Current.CancellationToken);
        Assert.Equal(read.Select(stack => stack.Task), found.Select(index => all.Stacks[index].Task));
    }
}
