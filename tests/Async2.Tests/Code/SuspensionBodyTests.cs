using System.Collections.Immutable;
using Async2.Analysis.Code.Decoding;
using Async2.Analysis.Code.Suspension;
using Async2.Analysis.Metadata.Awaits;
using Async2.Analysis.Model.Frames;

namespace Async2.Tests.Code;

/// <summary>What a state says of a body whose suspension blocks are known.</summary>
public sealed class SuspensionBodyTests
{
    private static readonly AwaitSite Only = new() { Ordinal = 0, ILOffset = 7, Form = AwaitForm.Value, Helper = null! };

    [Fact]
    public void A_state_that_no_block_stores_is_damage_even_with_a_single_await()
    {
        SuspensionPoint point = Body(2, 2).PointOf(2);
        Assert.True(point.IsImpossible);
        Assert.Equal((null, Exactness.None), (point.Site, point.Exactness));
    }

    [Fact]
    public void A_state_whose_block_was_read_stands_at_the_only_await()
    {
        SuspensionPoint point = Body(2, 2).PointOf(1);
        Assert.False(point.IsImpossible);
        Assert.Equal((Only, Exactness.Exact), (point.Site, point.Exactness));
    }

    [Theory]
    [InlineData(0, 0)] // No decoder, or no code.
    [InlineData(2, 3)]
    public void A_state_is_not_damage_if_a_block_may_have_been_missed(int blocks, int loads)
    {
        SuspensionPoint point = Body(blocks, loads).PointOf(3);
        Assert.False(point.IsImpossible);
        Assert.Equal(Exactness.Exact, point.Exactness);
    }

    private static SuspensionBody Body(int blocks, int loads) => new(
        null!, null!, [.. Enumerable.Range(0, blocks).Select(state => new SuspensionBlock((uint)state, 0, ImmutableArray<AwaitCall>.Empty))], [], [Only],
        _ => throw new InvalidOperationException(), loads);
}
