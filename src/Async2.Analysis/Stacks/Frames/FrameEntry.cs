using Async2.Analysis.Code.Suspension;
using Async2.Analysis.Model.Frames;

namespace Async2.Analysis.Stacks.Frames;

/// <summary>A distinct frame.</summary>
/// <param name="Frame">What is shown, without an address.</param>
/// <param name="Origin">Who wrote it.</param>
internal sealed record FrameEntry(LogicalFrame Frame, FrameOrigin Origin)
{
    /// <summary>Where a continuation stopped; says nothing for other frames.</summary>
    public SuspensionPoint Point { get; init; } = new();

    /// <summary>Where a state machine stopped; null for other frames.</summary>
    public StateMachinePoint? Machine { get; init; }

    /// <summary>The first entry that shows the same frame: what stacks are compared by.</summary>
    public int Canonical { get; init; }
}
