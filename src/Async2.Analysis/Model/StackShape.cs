using System.Collections.Immutable;

namespace Async2.Analysis.Model;

/// <summary>How a frame of a shape is related to an object.</summary>
internal enum FrameForm : byte
{
    /// <summary>The next object of the chain of its part.</summary>
    InChain,

    /// <summary>The object of the part itself: a state machine's box, a task.</summary>
    Object,

    /// <summary>No object: the JIT removed the frame.</summary>
    NoObject,

    /// <summary>No object: the frame is on a thread.</summary>
    OnThread,

    /// <summary>No object: it stands for frames of the runtime, and is shown if those are not.</summary>
    Instead,
}

/// <summary>One node's part of a shape.</summary>
/// <param name="Skip">Number of innermost objects of its chain that have returned, or are on the thread.</param>
/// <param name="End">Position in the shape after its last frame.</param>
internal readonly record struct ShapePart(int Skip, int End);

/// <summary>The common part of stacks with the same frames: 5 bytes for each frame, whether it is shown or not.</summary>
/// <param name="Parts">The nodes' parts, innermost first.</param>
/// <param name="Places">Number of each frame's place, innermost first; includes frames of the runtime.</param>
/// <param name="Forms">Whether each frame has an object.</param>
internal sealed record StackShape(ImmutableArray<ShapePart> Parts, int[] Places, FrameForm[] Forms);
