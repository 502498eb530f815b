using Async2.Analysis.Code.Suspension;
using Async2.Analysis.Layouts;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Nodes;
using Async2.Analysis.Threads;

namespace Async2.Analysis.Stacks.Frames;

/// <summary>What is known of frames: of a target's (<see cref="FrameReader"/>), or of a drawing's. The table asks each thing once, so an answer may be slow.</summary>
internal interface IFrameSource
{
    /// <summary>What stands behind the place that a suspended frame names.</summary>
    SuspensionPoint PointAt(Site site);

    /// <summary>Whether frames at a place may be of several instantiations, so that each has to be asked.</summary>
    bool IsShared(SuspensionPoint point);

    /// <summary>Handle of the exact instantiation of a frame of shared code, from its Data and GCData; 0 if it is not known.</summary>
    ulong ContextOf(SuspensionPoint point, ulong data, ulong gcData);

    /// <summary>The frame without an address, and who wrote it.</summary>
    (LogicalFrame Frame, FrameOrigin Origin) Show(SuspensionPoint point, ulong context);

    /// <summary>Where a state machine stopped.</summary>
    StateMachinePoint StateMachineAt(in NodeRow row);

    /// <summary>The frame of a state machine without an address, and who wrote it.</summary>
    (LogicalFrame Frame, FrameOrigin Origin) ShowStateMachine(StateMachinePoint point, NodeKind kind);

    /// <summary>A physical frame.</summary>
    (LogicalFrame Frame, FrameOrigin Origin) ShowThread(ThreadFrame physical);
}
