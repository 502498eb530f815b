using Async2.Analysis.Model;
using Async2.Analysis.Query;
using Async2.Tests.Support.Drawing;

namespace Async2.Tests.Snapshots;

/// <summary>What stacks have in common, for each way to group them.</summary>
public sealed class StackSectionTests
{
    [Theory]
    [InlineData(StackGrouping.Method, "Shop.Pay() 5, Shop.Main() 1, Shop.Pick() 1")]
    [InlineData(StackGrouping.WaitingOn, "Semaphore 6, (nothing known) 1")]
    [InlineData(StackGrouping.State, "awaiting 6, active 1")]
    [InlineData(StackGrouping.Module, "Shop.dll 7")]
    [InlineData(StackGrouping.Leaf, "Shop.Pay() Pay.cs:2 4, Net.Send() 1, Shop.Pay() Pay.cs:3 1, Shop.Pick() 1")]
    public void Keys(StackGrouping grouping, string sections) => Assert.Equal(sections, string.Join(", ",
        StackSection.Of(Drawing().Snapshot().Stacks, grouping).Select(section => $"{section.Key} {section.Count}")));

    [Fact]
    public void A_stack_without_frames_has_a_section()
        => Assert.Equal("(unknown)", Assert.Single(StackSection.Of(new SnapshotDrawing().Stack(1, null).Snapshot().Stacks, StackGrouping.Method)).Key);

    private static SnapshotDrawing Drawing() => new SnapshotDrawing()
        .Stack(4, "Semaphore", "Shop.Pay() | /src/Pay.cs:2", "Shop.Main() | /src/Main.cs:1")
        .Stack(1, "Semaphore", "Shop.Pay() | /src/Pay.cs:3")
        .Stack(1, "Semaphore", "Net.Send()", "Shop.Main() | /src/Main.cs:1")
        .WithFrame(0, frame => frame with { IsFramework = true })
        .Stack(1, StackState.Active, null, "Shop.Pick()");
}
