using System.Collections.Immutable;
using Async2.Analysis.Code.Suspension;
using Async2.Analysis.Layouts;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Nodes;

namespace Async2.Analysis.Values;

/// <summary>Reads arguments and locals of suspended frames that stand at one kind of place.</summary>
internal interface IFrameLocals
{
    /// <summary>The kind of place.</summary>
    SiteKind Kind { get; }

    /// <summary><c>this</c>, arguments, locals; empty when nothing is known of the frame's code.</summary>
    /// <param name="point">Where the method stopped.</param>
    /// <param name="frame">Its object.</param>
    ImmutableArray<LocalValue> Read(SuspensionPoint point, ContinuationRow frame);
}
