using Async2.Analysis.Model.Graph;
using Async2.Analysis.Holders.Inlined;
using Async2.Analysis.Nodes;

namespace Async2.Analysis.Stacks.Frames;

/// <summary>Frames of chains that are suspended, each with the methods that the JIT compiled into its code.</summary>
/// <param name="input">The operations.</param>
/// <param name="graph">Who waits for whom.</param>
/// <param name="chains">The operations' chains.</param>
/// <param name="table">Their frames.</param>
/// <param name="expander">Knows what was left out between two frames.</param>
internal sealed class SuspendedFrames(StackInput input, AsyncGraph graph, ChainReader chains, FrameTable table, FrameExpander expander)
{
    private readonly FrameColumns _frames = input.Index.Frames;
    private readonly Dictionary<(int Place, int Deeper), InlinedMethod[]> _inlined = [];

    /// <summary>Those of an operation, innermost first.</summary>
    public IEnumerable<ChainFrame> Of(int node)
    {
        int deeper = graph.RunsOn(node) ? ChainFrame.OnThread : ChainFrame.Nothing;
        for (int frame = chains.FirstSuspendedOf(node, graph, input.Segments), steps = 0; frame >= 0 && !_frames.IsFinal(frame) && steps < _frames.Count; frame = _frames.Next(frame), steps++)
        {
            int place = table.IdOf(frame);
            yield return new(frame, place, deeper);
            deeper = place;
        }
    }

    /// <summary>What code can be asked about.</summary>
    public SuspendedFrame this[ChainFrame frame] => new(frame.Place, table[frame.Place].Point, _frames.RowOf(frame.Frame), InlinedIn(frame));

    private InlinedMethod[] InlinedIn(ChainFrame frame)
    {
        if (frame.Deeper == ChainFrame.OnThread)
            return [];
        if (!_inlined.TryGetValue((frame.Place, frame.Deeper), out InlinedMethod[]? inlined))
            _inlined[(frame.Place, frame.Deeper)] = inlined = [.. expander.InlinedBetween(frame.Place, frame.Deeper).Reverse().Where(id => table[id].Elided is not null).Select(id => new InlinedMethod(id, table[id].Elided!))];
        return inlined;
    }
}

/// <summary>A frame of a chain.</summary>
/// <param name="Frame">Its position.</param>
/// <param name="Place">Number of its place.</param>
/// <param name="Deeper">Number of the place for which it waits, or why there is none.</param>
internal readonly record struct ChainFrame(int Frame, int Place, int Deeper)
{
    /// <summary>It is the innermost one.</summary>
    public const int Nothing = -1;

    /// <summary>A thread executes what it waits for.</summary>
    public const int OnThread = -2;
}
