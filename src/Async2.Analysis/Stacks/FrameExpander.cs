using Async2.Analysis.Holders.Kept;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Model.Graph;
using Async2.Analysis.Nodes;
using Async2.Analysis.Stacks.Frames;
using Async2.Analysis.Threads;

namespace Async2.Analysis.Stacks;

/// <summary>Turns nodes into frames: frames of objects, elided frames, frames of threads. Which of them are shown is decided later.</summary>
/// <param name="input">The operations, and the segments of threads, whose nodes follow them.</param>
/// <param name="chains">The operations' chains.</param>
/// <param name="table">Their frames.</param>
/// <param name="source">Knows what the JIT left out.</param>
internal sealed class FrameExpander(StackInput input, ChainReader chains, FrameTable table, IStackSource source)
{
    // Asked for each frame of each stack that is new: most pairs are found in the small table before the big one.
    private const int RecentPairs = 4096;

    private readonly Dictionary<(int Caller, int Deeper), int[]> _between = [];
    private readonly Dictionary<int, int[]> _above = [];
    private readonly ShapeFrames _shape = new();
    private readonly HeapIndex _index = input.Index;
    private readonly List<string> _notes = [];
    private int? _leftOut;
    private int? _unreadable;
    private readonly (int Caller, int Deeper, int[]? Ids)[] _recent = new (int, int, int[]?)[RecentPairs];

    /// <summary>The shape of a stack.</summary>
    public StackShape Expand(List<StackPart> parts)
    {
        foreach (StackPart part in parts)
        {
            if (part.Node >= _index.Nodes.Length)
                AppendSegment(input.Segments[part.Node - _index.Nodes.Length]);
            else if (_index.Nodes[part.Node].IsChain)
                AppendChain(chains.Of(part.Node), part);
            else if (part.Skip == 0)
                _shape.Push(Noted(table.IdOf(_index.Nodes[part.Node]), part), FrameForm.Object);
            _shape.EndPart(part.Skip);
        }
        return _shape.Take();
    }

    /// <summary>Whether a segment of a thread has user code.</summary>
    public bool HasUserFrames(ThreadSegment segment) => segment.Frames.Any(frame => table[table.IdOf(frame)].Origin == FrameOrigin.User);

    /// <summary>The innermost frame of user code; null if there is none.</summary>
    public LogicalFrame? InnermostOf(ChainRow chain)
    {
        int current = chain.Head;
        for (int i = 0; i < chain.Length; i++, current = _index.Frames.Next(current))
        {
            if (table[table.IdOf(current)] is { Origin: FrameOrigin.User } entry)
                return entry.Frame;
        }
        return null;
    }

    /// <summary>The innermost frame of a thread; null when none is known.</summary>
    public LogicalFrame? InnermostOf(ThreadSegment segment) => segment.Frames is [var first, ..] ? table[table.IdOf(first)].Frame : null;

    /// <summary>The frame of a state machine.</summary>
    public LogicalFrame FrameOf(in NodeRow row) => table[table.IdOf(row)].Frame;

    /// <summary>Number of a note about a frame, for <see cref="StackPart.Note"/>.</summary>
    public int NumberOf(string note)
    {
        if (_notes.IndexOf(note) is >= 0 and var known)
            return known;
        _notes.Add(note);
        return _notes.Count - 1;
    }

    private void AppendSegment(ThreadSegment segment)
    {
        foreach (ThreadFrame frame in segment.Frames)
            _shape.Push(table.IdOf(frame), FrameForm.OnThread);
    }

    private void AppendChain(ChainRow chain, StackPart part)
    {
        FrameColumns continuations = _index.Frames;
        int deeper = -1, current = chain.Head;
        bool hasFrames = part.Skip > 0, wasNoted = false;
        _shape.Reserve(chain.Length);
        for (int i = 0; i < chain.Length; i++, current = continuations.Next(current))
        {
            if (i < part.Skip)
                continue;
            int id = table.IdOf(current);
            bool isShown = table[id].Origin != FrameOrigin.Runtime;
            hasFrames |= isShown;
            if (i == part.Skip && part.RunsInHead)
                id = table.IdOfRunning(id);
            else if (deeper >= 0 || part.IsAwaiting)
                AppendElided(Between(id, deeper));
            bool isNoted = part.Note >= 0 && !wasNoted && isShown;
            wasNoted |= isNoted;
            _shape.Push(isNoted ? Noted(id, part) : id, FrameForm.InChain);
            deeper = id;
        }
        if (chain.IsUnreadable)
            _shape.Push(_unreadable ??= table.IdOf(FrameNames.Unreadable), FrameForm.Object);
        if (deeper < 0)
            return;
        int[] above = chains.IsCut(part.Node) || _index.Nodes[part.Node].Kind != NodeKind.Chain ? [] : Above(deeper);
        AppendElided(above);
        if (!hasFrames && above.Length == 0)
            _shape.Push(_leftOut ??= table.IdOf(FrameNames.LeftOut), FrameForm.Instead);
    }

    private int Noted(int id, StackPart part) => part.Note < 0 ? id : table.IdOfNoted(id, _notes[part.Note]);

    private int[] Above(int outermost)
    {
        if (!_above.TryGetValue(outermost, out int[]? ids))
            _above[outermost] = ids = [.. source.ElidedAbove(table[outermost].Point).Select(table.IdOf)];
        return ids;
    }

    private void AppendElided(int[] ids)
    {
        foreach (int id in ids)
            _shape.Push(id, FrameForm.NoObject);
    }

    /// <summary>Numbers of the frames that the JIT left out between two, innermost first.</summary>
    /// <param name="caller">Number of the outer one.</param>
    /// <param name="deeper">Number of the deeper one; below 0 for whatever the outer one's code awaits.</param>
    public int[] Between(int caller, int deeper)
    {
        ref (int Caller, int Deeper, int[]? Ids) recent = ref _recent[((caller * 31) + deeper) & (RecentPairs - 1)];
        if (recent.Ids is null || recent.Caller != caller || recent.Deeper != deeper)
            recent = (caller, deeper, Find(caller, deeper));
        return recent.Ids!;
    }

    private int[] Find(int caller, int deeper)
    {
        if (!_between.TryGetValue((caller, deeper), out int[]? ids))
            _between[(caller, deeper)] = ids = [.. source.ElidedBetween(table[caller].Point, deeper < 0 ? null : table[deeper].Point).Select(table.IdOf)];
        return ids;
    }
}

/// <summary>Collects the frames of a shape; reused for the next shape.</summary>
internal sealed class ShapeFrames
{
    private readonly List<int> _places = [];
    private readonly List<FrameForm> _forms = [];
    private readonly List<ShapePart> _parts = [];

    public void Push(int place, FrameForm form)
    {
        _places.Add(place);
        _forms.Add(form);
    }

    /// <summary>Makes room for more frames.</summary>
    public void Reserve(int count)
    {
        _places.EnsureCapacity(_places.Count + count);
        _forms.EnsureCapacity(_forms.Count + count);
    }

    /// <summary>What was pushed since the last part is one's.</summary>
    public void EndPart(int skip) => _parts.Add(new(skip, _places.Count));

    /// <summary>All of it, and begins again.</summary>
    public StackShape Take()
    {
        var shape = new StackShape([.. _parts], [.. _places], [.. _forms]);
        _places.Clear();
        _forms.Clear();
        _parts.Clear();
        return shape;
    }
}

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

    /// <summary>Number of the place where the innermost method of the user's stands; -1 if there is none.</summary>
    public int InnermostPlaceOf(int node)
    {
        foreach (ChainFrame frame in Of(node).Where(frame => table[frame.Place].Point.Method is { IsUserBody: true }))
            return InlinedIn(frame) is [.., var inner] ? inner.Place : frame.Place;
        return -1;
    }

    /// <summary>What code can be asked about.</summary>
    public SuspendedFrame this[ChainFrame frame] => new(frame.Place, table[frame.Place].Point, _frames.RowOf(frame.Frame), InlinedIn(frame));

    /// <summary>The methods in the code of one, outermost first.</summary>
    public IReadOnlyList<InlinedMethod> InlinedIn(ChainFrame frame)
    {
        if (frame.Deeper == ChainFrame.OnThread)
            return [];
        if (!_inlined.TryGetValue((frame.Place, frame.Deeper), out InlinedMethod[]? inlined))
            _inlined[(frame.Place, frame.Deeper)] = inlined = [.. Enumerable.Reverse(expander.Between(frame.Place, frame.Deeper)).Where(id => table[id].Elided is not null).Select(id => new InlinedMethod(id, table[id].Elided!))];
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

    /// <summary>The frame of a state machine, which has a place and no chain.</summary>
    public static ChainFrame OfMachine(int place) => new(-1, place, Nothing);
}
