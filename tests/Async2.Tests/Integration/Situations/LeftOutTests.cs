using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;

namespace Async2.Tests.Integration.Situations;

/// <summary>Frames of which optimised code leaves nothing in memory: what IL and compiled code prove is shown, the rest is said.</summary>
[Trait("Category", "Integration")]
public sealed class LeftOutTests
{
    private static readonly string[] Optimised =
    [
        "AsksAsync@asks",
        "AsksAsync@asks",
        "CallsTheCounterAsync@callsTheCounter < CountsDownAsync@? < CountsDownAsync@? < CountsDownAsync@? < CountsDownAsync@? < CountsDownAsync@countsDown",
        "ConfiguredAsync@configured < ConfiguredTailAsync@? < ConfiguredInnerAsync@?",
        "CountsAsync@counts",
        "CountsDownAsync@? < CountsDownAsync@? < CountsDownAsync@? < CountsDownAsync@? < CountsDownAsync@countsDown",
        "CountsTailsAsync@? < WorksOnAsync@worksOn",
        "HangsAsync@hangs",
        "InlinesTailsAsync@inlinesTails < OnlyTailsAsync@? < MiddleTailAsync@? < InnerTailAsync@?",
        "LendsAsync@lends",
        "OnlyTailDelayAsync@?",
        "OnlyTailsAsync@? < MiddleTailAsync@? < InnerTailAsync@?",
        "SharesAsync@shares < SharesTailAsync@? < SharesInnerAsync@? < HoldsAsync@holds",
        "SometimesAsync@sometimes",
        "SometimesAsync@sometimes",
        "StoredAsync@stored < StoredTailAsync@? < StoredInnerAsync@?",
        "VoidsAsync@voids < VoidAsync@? < WorksOnAsync@worksOn",
        "WaitsForTailsAsync@waitsForTails < OnlyTailsAsync@? < MiddleTailAsync@? < InnerTailAsync@?",
        "YieldsAsync@yields < YieldsTailAsync@? < YieldsInnerAsync@?",
    ];

    [Fact]
    public void Frames_removed_by_tail_awaits_are_recovered()
    {
        Situation found = Situation.Look("Situations", "leftOut", ("DOTNET_TieredCompilation", "0"));
        Assert.Equal(Optimised.Order(StringComparer.Ordinal), found.Stacks.Select(found.OutermostFirst).Order(StringComparer.Ordinal));
        LogicalStack tails = found.Stacks.Single(s => found.OutermostFirst(s) == "OnlyTailsAsync@? < MiddleTailAsync@? < InnerTailAsync@?");
        Assert.All(tails.Frames, frame => Assert.Equal((FrameKind.Elided, Exactness.Exact), (frame.Kind, frame.Exactness)));
        Assert.All(tails.Frames, frame => Assert.NotNull(frame.Line));
        Assert.Equal(WaitKind.Timer, found.Stacks.Single(s => s.Frames[0].Name == "OnlyTailDelayAsync").WaitingOn?.Kind);
    }

    [Fact]
    public void Frames_that_a_jump_may_have_removed_are_reported()
    {
        Situation found = Situation.Look("Situations", "leftOut", ("DOTNET_TieredCompilation", "0"));
        Assert.Equal(["CountsTailsAsync", "SometimesAsync", "VoidAsync"],
            found.Problems.Where(p => p.Code == ProblemCodes.PossiblyElided).Select(p => p.Text.Split(' ')[0]).Order(StringComparer.Ordinal));
        Assert.DoesNotContain(found.Problems, p => p.Code == ProblemCodes.ElidedFrames);
    }

    [Theory]
    [InlineData("Situations")]
    [InlineData("Situations.Classic")]
    public void Unoptimised_code_has_all_frames_and_no_problem(string build)
    {
        Situation found = Situation.Look(build, "leftOut", ("DOTNET_TieredPGO", "0"), ("DOTNET_TC_BackgroundWorkerTimeoutMs", "0"));
        Assert.Empty(found.Problems);
        Assert.Contains("OnlyTailsAsync@? < MiddleTailAsync@? < InnerTailAsync@?", found.Stacks.Select(found.OutermostFirst));
        Assert.Contains("CountsTailsAsync@? < CountsTailsAsync@? < CountsTailsAsync@? < CountsTailsAsync@? < CountsTailsAsync@? < WorksOnAsync@worksOn", found.Stacks.Select(found.OutermostFirst));
        Assert.DoesNotContain(found.Stacks, s => s.Frames.Any(f => f.Kind == FrameKind.Elided));
    }
}
