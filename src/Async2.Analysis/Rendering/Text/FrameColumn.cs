using Async2.Analysis.Model.Frames;

namespace Async2.Analysis.Rendering.Text;

/// <summary>Columns of a debugger before the method of each frame: addresses, counts.</summary>
/// <param name="Width">Columns that <paramref name="Write"/> fills.</param>
/// <param name="Write">Writes them for a frame.</param>
public sealed record FrameColumn(int Width, Action<StyledText, LogicalFrame> Write);
