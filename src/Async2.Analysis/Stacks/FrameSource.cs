using Async2.Analysis.Code;
using Async2.Analysis.Nodes;

namespace Async2.Analysis.Stacks;

/// <summary>What the target says about frames. The table asks each thing once, so these may be slow.</summary>
/// <param name="PointAt">What a resume stub and a state stand for.</param>
/// <param name="ContextOf">Handle of the exact instantiation of a frame; 0 when the code itself says all.</param>
/// <param name="Show">The frame without an address, and whether the user wrote it.</param>
internal sealed record FrameSource(
    Func<ulong, uint, SuspensionPoint> PointAt,
    Func<SuspensionPoint, ContinuationRow, ulong> ContextOf,
    Func<SuspensionPoint, ulong, (LogicalFrame Frame, bool IsUser)> Show);
