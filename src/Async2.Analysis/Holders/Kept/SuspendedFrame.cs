using System.Runtime.InteropServices;
using Async2.Analysis.Code.Elided;
using Async2.Analysis.Code.Suspension;
using Async2.Analysis.Nodes;

namespace Async2.Analysis.Holders.Kept;

/// <summary>A frame of a chain, with those that have no object because the JIT compiled their methods into its code.</summary>
/// <param name="Place">Number of its place.</param>
/// <param name="Point">Where it stopped.</param>
/// <param name="Row">Its object; not needed for what only code tells.</param>
/// <param name="Inlined">The others, outermost first.</param>
[StructLayout(LayoutKind.Auto)]
internal readonly record struct SuspendedFrame(int Place, SuspensionPoint Point, ContinuationRow Row, IReadOnlyList<InlinedMethod> Inlined);

/// <summary>A method without an object that is on the stack below a frame.</summary>
/// <param name="Place">Number of its place.</param>
/// <param name="Frame">Where it stands.</param>
internal sealed record InlinedMethod(int Place, ElidedFrame Frame);
