using System.Collections.Immutable;
using Async2.Analysis.Code;
using Async2.Analysis.Code.Metadata;

namespace Async2.Tests.Code;

/// <summary>What a state says of a body whose suspension blocks are known.</summary>
public sealed class SuspensionBodyTests
{
    private static readonly AwaitSite Only = new() { Ordinal = 0, ILOffset = 7, Form = AwaitForm.Value, Helper = null! };

    [Fact]
    public void A_state_that_no_block_stores_is_damage_even_with_a_single_await()
    {
        SuspensionPoint point = Body([0, 1]).PointOf(2);
        Assert.True(point.IsImpossible);
        Assert.Equal((null, Exactness.None), (point.Site, point.Exactness));
    }

    [Fact]
    public void A_state_whose_block_was_read_stands_at_the_only_await()
    {
        SuspensionPoint point = Body([0, 1]).PointOf(1);
        Assert.False(point.IsImpossible);
        Assert.Equal((Only, Exactness.Exact), (point.Site, point.Exactness));
    }

    [Theory]
    [InlineData(new uint[] { })] // No decoder, or no code.
    [InlineData(new uint[] { 0, SuspensionBlock.UnknownState })]
    public void Nothing_is_claimed_of_a_state_where_a_block_may_have_been_missed(uint[] states)
    {
        SuspensionPoint point = Body(states).PointOf(3);
        Assert.False(point.IsImpossible);
        Assert.Equal(Exactness.Exact, point.Exactness);
    }

    private static SuspensionBody Body(uint[] states)
        => new(null!, null!, [.. states.Select(state => new SuspensionBlock(state, 0, ImmutableArray<AwaitCall>.Empty))], [], [Only], _ => throw new InvalidOperationException());
}
