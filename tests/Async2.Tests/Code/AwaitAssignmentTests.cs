using Async2.Analysis.Code.Awaits;
using Async2.Analysis.Code.DebugInfo;
using Async2.Analysis.Code.Modules;
using Async2.Analysis.Metadata.Awaits;
using Async2.Analysis.Metadata.IL;
using Async2.Tests.Support.Drawing;

namespace Async2.Tests.Code;

/// <summary>A frame never claims more than was proven: exact, by order, or one of several.</summary>
public sealed class AwaitAssignmentTests
{
    // Three awaits in one statement: the JIT's debug info has one entry for all of them.
    private const string Statement = "0:prolog 10:0 100:50";

    [Fact]
    public void A_method_without_awaits_matches_nothing() => Finds("", Statement, "1@15 Shop.A.Pay", "1 -> none");

    [Theory]
    [InlineData("")]
    [InlineData("0:prolog")]
    [InlineData("0:prolog 10:30 100:50")]
    public void The_only_await_of_a_method_is_it_whatever_the_debug_info_says(string bounds)
        => Finds("6 call Shop.A.Pay", bounds, "1@15", "1 -> 6 exact");

    [Fact]
    public void Awaits_of_different_statements_are_distinguished_by_debug_info()
        => Finds("6 call Shop.A.Pay ; 16 call Shop.A.Pay", "0:prolog 10:0 40:11 80:20", "1@50 ; 2@15", "1 -> 16 exact | 2 -> 6 exact");

    [Fact]
    public void Without_debug_info_the_first_is_an_approximation()
        => Finds("6 call Shop.A.Pay ; 16 call Shop.A.Pay", "", "1@50 ; 2@15", "1 -> 6 approximate | 2 -> 6 approximate");

    [Fact]
    public void In_a_range_without_awaits_the_first_is_an_approximation()
        => Finds("6 call Shop.A.Pay ; 16 call Shop.A.Pay", "0:prolog 10:0 40:20", "1@50", "1 -> 6 approximate");

    [Fact]
    public void Awaits_of_one_statement_are_distinguished_by_their_callees()
        => Finds("6 call Shop.A.Pay ; 16 call Shop.A.Ship ; 26 value", Statement,
            "1@70 Shop.A.Pay ; 2@20 Shop.A.Ship ; 3@40 System.Runtime.CompilerServices.AsyncHelpers.Await",
            "1 -> 6 exact | 2 -> 16 exact | 3 -> 26 exact");

    [Fact]
    public void Calls_of_the_same_method_are_distinguished_by_order()
        => Finds("6 call Shop.A.Pay ; 16 call Shop.A.Pay ; 26 call Shop.A.Ship", Statement,
            "1@70 Shop.A.Pay ; 2@20 Shop.A.Pay ; 3@90 Shop.A.Ship",
            "1 -> 16 order | 2 -> 6 order | 3 -> 26 exact");

    [Fact]
    public void Calls_through_objects_are_distinguished_by_order()
        => Finds("6 virtual Shop.IPay.Pay ; 16 virtual Shop.IPay.Ship", Statement, "7@70 ; 9@20", "7 -> 16 order | 9 -> 6 order");

    [Fact]
    public void An_await_that_the_JIT_removed_makes_the_rest_approximate()
        => Finds("6 virtual Shop.IPay.A ; 16 virtual Shop.IPay.B ; 26 virtual Shop.IPay.C", Statement, "1@20 ; 2@70", "1 -> 6 approximate | 2 -> 6 approximate");

    [Fact]
    public void Order_applies_to_calls_of_one_method_even_if_another_await_was_removed()
        => Finds("6 call Shop.A.Pay ; 16 call Shop.A.Pay ; 26 call Shop.A.Ship", Statement,
            "1@70 Shop.A.Pay ; 2@20 Shop.A.Pay",
            "1 -> 16 order | 2 -> 6 order");

    [Fact]
    public void Order_is_not_used_if_a_call_contradicts_it()
        => Finds("6 virtual Shop.IPay.Pay ; 16 virtual Shop.IPay.Ship ; 26 virtual Shop.IPay.Ship", Statement,
            "1@20 Shop.Impl.Ship ; 2@40 ; 3@70",
            "1 -> 16 approximate | 2 -> 6 approximate | 3 -> 6 approximate");

    [Fact]
    public void A_block_that_was_moved_into_the_code_of_another_statement_is_not_called_exact()
        => Finds("6 call Shop.A.Pay ; 16 call Shop.A.Ship", "0:prolog 10:0 40:11", "1@60 Shop.A.Pay", "1 -> 6 order");

    [Fact]
    public void A_call_that_no_await_names_came_from_an_inlined_method_and_contradicts_nothing()
        => Finds("6 call Shop.A.Pay ; 16 call Shop.A.Ship", "0:prolog 10:0 40:11", "1@60 Shop.Inner.Leaf", "1 -> 16 exact");

    private static void Finds(string il, string bounds, string native, string expected)
    {
        NativeAwait[] awaits = AwaitDrawing.Awaits(native);
        var assignment = new AwaitAssignment(AwaitDrawing.Bounds(bounds), NativeFlow.Empty, new ILFlow([]), AwaitDrawing.Sites(il), awaits, Compare);
        string[] found = [.. awaits.Select((a, i) => $"{a.State} -> {AwaitDrawing.Show(assignment[i])}")];
        Assert.Equal(expected, string.Join(" | ", found));
    }

    private static CallEvidence Compare(AwaitSite site, NativeAwait seen)
        => seen.Callee is not { } callee || CalleeComparer.CanCall(site, callee) ? CallEvidence.Direct : CallEvidence.None;
}
