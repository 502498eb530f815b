using System.Collections.Immutable;

namespace Async2.Analysis.Model;

/// <summary>How a frame of a shape is tied to an object.</summary>
internal enum FrameForm : byte
{
    /// <summary>The next object of the chain of its part.</summary>
    InChain,

    /// <summary>The object of the part itself: a state machine's box, a task.</summary>
    Object,

    /// <summary>No object: the JIT left the frame out.</summary>
    NoObject,

    /// <summary>No object: the frame is on a thread.</summary>
    OnThread,

    /// <summary>No object: it stands for frames of the runtime, and is shown where those are not.</summary>
    Instead,
}

/// <summary>One node's share of a shape.</summary>
/// <param name="Skip">So many of the innermost objects of its chain have returned, or are on the thread.</param>
/// <param name="End">Position in the shape behind its last frame.</param>
internal readonly record struct ShapePart(int Skip, int End);

/// <summary>What stacks with the same frames have in common: 5 bytes for each frame, whatever is shown of it later.</summary>
/// <param name="Parts">The nodes' shares, innermost first.</param>
/// <param name="Places">Number of each frame's place, innermost first; frames of the runtime are among them.</param>
/// <param name="Forms">Whether each frame has an object.</param>
internal sealed record StackShape(ImmutableArray<ShapePart> Parts, int[] Places, FrameForm[] Forms);
