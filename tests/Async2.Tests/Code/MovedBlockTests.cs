using Async2.Analysis.Code.Awaits;
using Async2.Analysis.Code.Modules;
using Async2.Analysis.Metadata.Awaits;
using Async2.Analysis.Metadata.IL;
using Async2.Tests.Support.Drawing;

namespace Async2.Tests.Code;

/// <summary>The optimiser moves blocks and drops marks. What an await is follows from the ways that lead to it.</summary>
public sealed class MovedBlockTests
{
    // Nothing but awaits.
    private const string Straight = "";

    // if (...) goto 20; await at 5; return at 8; 20: await at 25; ret. The JIT kept marks for 0 and for the return only.
    private const string EarlyReturn = "0:brtrue 20 ; 8:ret";

    // 0: brtrue 20; await at 5; br 30; 20: await at 25; 30: await at 35; ret
    private const string Arms = "0:brtrue 20 ; 8:br 30";

    [Fact]
    public void A_block_behind_another_statement_belongs_to_the_statement_that_jumps_to_it()
        => Finds(Straight, "5 call Shop.A.Pay ; 35 call Shop.A.Pay", "0:0 20:30", "0>20,40 20> 40>", "1@25 Shop.A.Pay ; 2@45 Shop.A.Pay", "1 -> 35 exact | 2 -> 5 exact");

    [Fact]
    public void A_block_that_two_statements_lead_to_can_be_of_either()
        => Finds(Straight, "5 virtual Shop.A.Pay ; 35 virtual Shop.A.Pay", "0:0 20:30", "0>20,40 20>40 40>", "1@45", "1 -> 5 approximate");

    [Fact]
    public void The_mark_of_a_branch_that_is_not_taken_does_not_end_a_statement()
        => Finds(EarlyReturn, "25 call Shop.A.Pay ; 35 call Shop.A.Ship", "0:0 20:8 40:30", "0>20,60 20> 40> 60>40", "1@65 Shop.A.Pay", "1 -> 25 exact");

    [Fact]
    public void Native_order_implies_IL_order_even_for_moved_code()
        => Finds(Straight, "5 virtual Shop.A.Pay ; 15 virtual Shop.A.Pay ; 25 virtual Shop.A.Pay", "0:0", "0>60 20> 40>20 60>40",
            "1@65 ; 2@45 ; 3@25", "1 -> 5 exact | 2 -> 15 exact | 3 -> 25 exact");

    [Fact]
    public void Code_after_both_branches_is_distinguished_but_not_the_branches()
        => Finds(Arms, "5 virtual Shop.A.Pay ; 25 virtual Shop.A.Pay ; 35 virtual Shop.A.Pay", "0:0 80:38", "0>20,40 20>60 40>60 60>80 80>",
            "1@25 ; 2@45 ; 3@65", "1 -> 5 order | 2 -> 25 order | 3 -> 35 exact");

    [Fact]
    public void Branches_in_moved_code_are_approximate()
        => Finds(Arms, "5 virtual Shop.A.Pay ; 25 virtual Shop.A.Pay ; 35 virtual Shop.A.Pay", "0:0 80:38 90:0", "0>20,40 20>60 40>60 60>80 80>",
            "1@25 ; 2@45 ; 3@65", "1 -> 5 approximate | 2 -> 25 approximate | 3 -> 35 exact");

    [Fact]
    public void An_await_that_only_inlining_explains_is_not_called_exact()
        => Finds(Straight, "5 call Shop.A.Inlined ; 15 call Shop.A.Other", "0:0", "0>", "1@10 Shop.A.Leaf", "1 -> 5 order");

    private static void Finds(string il, string sites, string bounds, string blocks, string native, string expected)
    {
        NativeAwait[] awaits = AwaitDrawing.Awaits(native);
        var assignment = new AwaitAssignment(
            AwaitDrawing.Bounds(bounds), FlowDrawing.Flow(blocks), new ILFlow(FlowDrawing.IL(il)), AwaitDrawing.Sites(sites), awaits, Compare);
        string[] found = [.. awaits.Select((a, i) => $"{a.State} -> {AwaitDrawing.Show(assignment[i])}")];
        Assert.Equal(expected, string.Join(" | ", found));
    }

    private static CallEvidence Compare(AwaitSite site, NativeAwait seen)
        => seen.Callee is not { } callee || CalleeComparer.CanCall(site, callee) ? CallEvidence.Direct
            : site.Callee?.Name == "Inlined" ? CallEvidence.Inlined : CallEvidence.None;
}
