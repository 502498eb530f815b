using Async2.Analysis.Layouts.Descriptions;
using Async2.Tests.Support.Drawing;

namespace Async2.Tests.Families.Tasklets;

/// <summary>Tasklets are found by their owners and by the list, and each that is unsound has the rule named that it breaks.</summary>
public sealed class TaskletWalkTests
{
    private static readonly LayoutFacts V4 = new([Baselines.Find("async2/unwinder-v4")!]);
    private static readonly LayoutFacts V3 = new([Baselines.Find("async2/unwinder-v3")!]);

    [Fact]
    public void Owners_lead_to_whole_chains() => Sees("""
        a -> b -> c
        d -> e
        owner a
        owner d
        """, """
        suspended: a -> b -> c
        suspended: d -> e
        """);

    [Fact]
    public void A_chain_found_in_both_ways_is_shown_once() => Sees("""
        a -> b -> c
        back c b a
        owner a
        list c
        """, "suspended: a -> b -> c");

    [Fact]
    public void A_root_without_an_owner_is_an_orphan() => Sees("""
        a -> b -> c
        back c b a
        list c
        """, "orphan: a -> b -> c");

    // DeleteTasklet of what was resumed clears the link that the new capture had set.
    [Fact]
    public void The_list_finds_the_callers_beyond_a_lost_link_and_the_owner_finds_all() => Sees("""
        a -> b -> c
        back c b
        owner a
        d -> e -> f
        back f e
        list c f
        """, """
        suspended: a -> b -> c
        orphan: e -> f
        """);

    [Fact]
    public void A_ghost_frame_that_the_owner_has_passed_is_not_shown() => Sees("""
        ghost -> b -> c
        back c b ghost
        owner b
        list c
        """, "suspended: b -> c");

    [Fact]
    public void A_chain_marked_as_executing_is_active() => Sees("""
        a -> b
        owner a
        set b MinGeneration -1
        """, "running: a -> b");

    [Fact]
    public void A_chain_marked_as_executing_without_an_owner_is_abandoned() => Sees("""
        a -> b
        back b a
        list b
        set a MinGeneration -1
        """, "abandoned: a -> b");

    [Fact]
    public void All_may_be_in_the_list() => Sees("""
        a -> b -> c
        d
        list b a d c
        """, """
        orphan: a -> b -> c
        orphan: d
        """, V3);

    [Fact]
    public void An_inward_link_without_a_link_back_is_not_followed() => Sees("""
        a -> b
        x -> y
        back b x
        list b
        """, "orphan: b");

    [Fact]
    public void A_cyclic_chain_ends() => Sees("""
        a -> b -> c
        set c NextInStack b
        owner a
        """, """
        suspended: a -> b -> c
        ! stack-link c
        """);

    [Fact]
    public void A_tasklet_that_is_its_own_caller_is_shown_once() => Sees("""
        a
        set a NextInStack a
        owner a
        """, """
        suspended: a
        ! stack-link a
        """);

    [Fact]
    public void A_chain_into_nowhere_keeps_earlier_frames() => Sees("""
        a -> b
        set b NextInStack 0xdead0000
        owner a
        """, """
        suspended: a -> b
        ! stack-link b
        """);

    [Fact]
    public void A_list_into_nowhere_keeps_earlier_items() => Sees("""
        a
        b
        list a b
        set b NextInLiveList 0xdead0000
        """, """
        orphan: a
        orphan: b
        ! list-link b
        """);

    [Fact]
    public void A_list_that_never_returns_to_its_beginning_ends() => Sees("""
        a
        b
        list a b
        set b NextInLiveList a
        """, """
        orphan: a
        orphan: b
        ! list-link b
        """);

    [Theory]
    [InlineData("StackRequirement", "7", "stack-size")]
    [InlineData("ReturnAddressOffset", "8", "stack-size")]
    [InlineData("StackDataSize", "0xffffffff", "stack-size")]
    [InlineData("ObjectRefCount", "0xffffffff", "object-refs")]
    [InlineData("ObjectRefOffsets", "0xdead0000", "object-refs")]
    [InlineData("ByRefCount", "0xffffffff", "byrefs")]
    [InlineData("ByRefOffsets", "0", "byrefs")]
    [InlineData("StackData", "0xdead0000", "stack-data")]
    [InlineData("StackData", "0xffffffffffffffff", "stack-data")]
    [InlineData("StackDataInfo", "0", "stack-info")]
    [InlineData("RegistersToRestore", "0xdead0000", "registers")]
    [InlineData("Register", "77", "registers")]
    [InlineData("Register", "0", "registers")]
    [InlineData("ReturnType", "9", "return-type")]
    [InlineData("MinGeneration", "77", "generation")]
    [InlineData("MinGeneration", "-2", "generation")]
    public void Invalid_tasklets_name_their_rule_and_the_rest_is_shown(string field, string value, string rule) => Sees($"""
        a -> b -> c
        owner a
        set b {field} {value}
        """, $"""
        suspended: a -> b -> c
        ! {rule} b
        """);

    [Fact]
    public void Fields_may_lie_anywhere()
    {
        const string drawing = """
            a -> b -> c
            back c b a
            owner a
            d -> e
            list c e
            set b ByRefCount 0xffffffff
            """;
        string shuffled = TaskletDrawing.Read(drawing, new([Shuffled()]));

        Assert.Equal(TaskletDrawing.Read(drawing, V4), shuffled);
    }

    // The same fields in the other direction, with room between them.
    private static LayoutDescription Shuffled()
    {
        LayoutDescription plain = V4.Sources[0];
        return plain with
        {
            Types = plain.Types.ToDictionary(t => t.Key, t => new TypeDescription
            {
                Size = (t.Value.Fields.Count + 2) * 8,
                Fields = t.Value.Fields.OrderByDescending(f => f.Value.Offset).Select((f, i) => (f.Key, Field: f.Value with { Offset = (i + 1) * 8 })).ToDictionary(f => f.Key, f => f.Field),
            }),
        };
    }

    private static void Sees(string drawing, string expected, LayoutFacts? facts = null) => Assert.Equal(expected, TaskletDrawing.Read(drawing, facts ?? V4));
}
