using Async2.Analysis.Code;
using Async2.Analysis.Nodes;

namespace Async2.Analysis.Stacks;

/// <summary>
/// One entry for each distinct frame: the same method, await and instantiation. Stacks are sequences of these numbers until
/// somebody wants to see one, so a million frames cost a million numbers.
/// </summary>
internal sealed class FrameTable(FrameSource source)
{
    private readonly Dictionary<(ulong Resume, uint State, ulong Context), int> _ids = [];
    private readonly Dictionary<(ulong Resume, uint State), SuspensionPoint> _points = [];
    private readonly Dictionary<(LogicalFrame Frame, bool IsUser), int> _byFrame = [];
    private readonly List<FrameEntry> _entries = [];

    public FrameEntry this[int id] => _entries[id];

    /// <summary>Number of the frame that a continuation stands for.</summary>
    public int IdOf(in ContinuationRow row)
    {
        if (!_points.TryGetValue((row.Resume, row.State), out SuspensionPoint? point))
            _points[(row.Resume, row.State)] = point = source.PointAt(row.Resume, row.State);
        ulong context = source.ContextOf(point, row);
        if (!_ids.TryGetValue((row.Resume, row.State, context), out int id))
        {
            (LogicalFrame frame, bool isUser) = source.Show(point, context);
            _ids[(row.Resume, row.State, context)] = id = Intern(frame, point, isUser);
        }
        return id;
    }

    /// <summary>Number of a frame that no object stands for.</summary>
    public int IdOf(LogicalFrame frame) => Intern(frame, new SuspensionPoint(), isUser: true);

    /// <summary>Number of the same frame while a thread executes it: where it was suspended is past.</summary>
    public int IdOfRunning(int id)
    {
        FrameEntry suspended = _entries[id];
        LogicalFrame running = suspended.Frame with { ILOffset = null, AwaitNumber = null, Line = null, File = null, Exactness = Exactness.None };
        return Intern(running, suspended.Point, suspended.IsUser);
    }

    // Two bodies of one method (tiers) give equal frames: they must be one entry, or stacks would not coalesce.
    private int Intern(LogicalFrame frame, SuspensionPoint point, bool isUser)
    {
        var entry = new FrameEntry(frame, point, isUser);
        if (!_byFrame.TryGetValue((frame, isUser), out int canonical))
            _byFrame[(frame, isUser)] = canonical = _entries.Count;
        _entries.Add(entry with { Canonical = canonical });
        return _entries.Count - 1;
    }
}

/// <summary>A distinct frame.</summary>
/// <param name="Frame">What is shown, without an address.</param>
/// <param name="Point">Where it comes from.</param>
/// <param name="IsUser">False for the runtime's own steps, which are folded.</param>
internal sealed record FrameEntry(LogicalFrame Frame, SuspensionPoint Point, bool IsUser)
{
    /// <summary>The first entry that shows the same frame: what stacks are compared by.</summary>
    public int Canonical { get; init; }
}
