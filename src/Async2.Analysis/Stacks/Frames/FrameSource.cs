using Async2.Analysis.Code.Suspension;
using Async2.Analysis.Layouts;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Nodes;
using Async2.Analysis.Threads;

namespace Async2.Analysis.Stacks.Frames;

/// <summary>What the target says about frames. The table asks each thing once, so these may be slow.</summary>
/// <param name="PointAt">What stands behind the place that a suspended frame names.</param>
/// <param name="ContextOf">Handle of the exact instantiation of a frame of shared code, from its Data and GCData; 0 when it is not known.</param>
/// <param name="Show">The frame without an address, and who wrote it.</param>
internal sealed record FrameSource(
    Func<Site, SuspensionPoint> PointAt,
    Func<SuspensionPoint, ulong, ulong, ulong> ContextOf,
    Func<SuspensionPoint, ulong, (LogicalFrame Frame, FrameOrigin Origin)> Show)
{
    /// <summary>Whether frames at a place may be of several instantiations, so that each has to be asked.</summary>
    public Predicate<SuspensionPoint> IsShared { get; init; } = _ => false;

    /// <summary>Where a state machine stopped.</summary>
    public Func<NodeRow, StateMachinePoint> MachineAt { get; init; } = _ => new StateMachinePoint();

    /// <summary>The frame of a state machine without an address, and who wrote it.</summary>
    public Func<StateMachinePoint, NodeKind, (LogicalFrame Frame, FrameOrigin Origin)> ShowMachine { get; init; } = StateMachineFrame.Of;

    /// <summary>A physical frame.</summary>
    public Func<ThreadFrame, (LogicalFrame Frame, FrameOrigin Origin)> ShowThread { get; init; }
        = frame => (new LogicalFrame { Kind = FrameKind.Thread, Method = FrameNames.OfToken(frame.Method.Token) }, FrameOrigin.User);
}
